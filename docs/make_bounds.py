"""Measure how often bounds hold, and how wide they are, and write the table of docs/bounds.md.

    .venv/bin/python docs/make_bounds.py results [samples]    # of a finished study llm-candidates

Samples are drawn from ten laws of exact ranks: seven made up, with heads, gaps and steps, and those of three models of
MovieLens 1M. A band that holds the true law of sampled ranks gives bounds that hold for every metric, so the programs
are solved only for samples whose band does not.
"""

import sys
from pathlib import Path

import numpy as np
from truerank.artefacts.files import read_table
from truerank.bounding.designs import Uniform
from truerank.bounding.limits import limits_of_ranks
from truerank.bounding.metrics import metric_bounds
from truerank.bounding.planning import expected_bounds, law_of_outcomes
from truerank.provenance import generator

PAGE = Path(__file__).with_name("bounds.md")
MARK = "<!-- written by make_bounds.py -->\n"
N_ITEMS, N_RANKS, SAMPLES = 12_000, 3000, 2000
NEGATIVES = (19, 99, 499)
RECALL = ("recall", {"kind": "recall"}, 10)
SLACK = 1e-9
REAL = ("popularity", "ials", "ease")


def made_up(n_items):
    """Return laws of exact ranks by name, each of all ranks."""
    rank = np.arange(1, n_items + 1)
    uniform = np.full(n_items, 1 / n_items)
    laws = {
        "uniform": uniform,
        "falls as 1 / rank": 1 / rank,
        "falls as a power": rank**-0.75,
        "head: 30 % in the first 8": 0.3 * (rank <= 8) / 8 + 0.7 * uniform,
        "gap: 40 % at 30 to 90, none before": 0.4 * ((rank >= 30) & (rank <= 90)) / 61 + 0.6 * uniform * (rank >= 30),
        "steps at 10, 100, 1,000": 0.2 * (rank <= 10) / 10 + 0.3 * (rank <= 100) / 100 + 0.5 * (rank <= 1000) / 1000,
        "two points: 1 and the last": 0.5 * (rank == 1) + 0.5 * (rank == n_items),
    }
    return {name: law / law.sum() for name, law in laws.items()}


def real(results):
    """Return the laws of models of a study, and how many candidates they are among."""
    laws = {}
    for model in REAL:
        table = read_table(results / f"ranks/ml-1m/last_one/{model}.parquet")
        n_items = round(table["candidates"].mean())
        rank = np.minimum(1 + table["above"] + table["before"], n_items)
        laws[f"MovieLens 1M, {model}"] = np.bincount(rank, minlength=n_items + 1)[1:] / len(rank)
    return laws


def measure(law, negatives, rng, samples=SAMPLES, n_ranks=N_RANKS):
    """Return the share of samples whose band holds, and whose bounds of recall@10 do, and the expected bounds."""
    design = Uniform(len(law), negatives)
    rank = np.flatnonzero(law) + 1
    share = law[rank - 1]
    seen = law_of_outcomes(design, rank, share)
    recall = float(law[:10].sum())
    held = inside = 0
    for counts in rng.multinomial(n_ranks, seen, samples):
        limits = limits_of_ranks(counts, 0.95)
        truth = seen @ limits.functions
        if ((limits.low <= truth + SLACK) & (truth <= limits.high + SLACK)).all():
            held, inside = held + 1, inside + 1
        else:
            ((low, high),) = metric_bounds(design, limits, [RECALL], enough=5e-3)
            inside += low <= recall <= high
    ((low, high),) = expected_bounds(design, rank, share, n_ranks, [RECALL], 0.95)
    return held / samples, inside / samples, recall, low, high


def table(laws, samples):
    text = "| distribution of exact ranks | items | recall@10 | m | band holds | bounds hold | expected bounds |\n"
    text += "|---|---|---|---|---|---|---|\n"
    for name, law in laws.items():
        for negatives in NEGATIVES:
            rng = generator(1, "coverage of bounds", name, negatives)
            held, inside, recall, low, high = measure(law, negatives, rng, samples)
            row = f"{name} | {len(law):,} | {recall:.4f} | {negatives} | {held:.3f} | {inside:.3f}"
            print(row, f"{low:.3f} {high:.3f}", flush=True)
            text += f"| {row} | {low:.3f} to {high:.3f} |\n"
    return text


def main(results, samples=SAMPLES):
    samples = int(samples)
    found = table(made_up(N_ITEMS) | real(Path(results)), samples)
    head = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    about = f"\n{samples:,} samples of {N_RANKS:,} ranks each, 95 % confidence.\n\n"
    PAGE.write_text(head + MARK + about + found, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
