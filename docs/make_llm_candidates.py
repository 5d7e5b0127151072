"""Write the tables and pictures of docs/llm-candidates.md from the study of that name.

.venv/bin/truerank run llm-candidates
.venv/bin/python docs/make_llm_candidates.py results
"""

import sys
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure
from truerank.artefacts.files import read_table

HERE = Path(__file__).parent
PAGE = HERE / "llm-candidates.md"
MARK = "<!-- written by make_llm_candidates.py -->\n"
WAYS = {"uniform": "monotone_mle", "popular": "rank_estimate"}  # samplers by their names, and the estimator shown
TITLES = {"uniform": "drawn uniformly", "popular": "drawn by popularity, with replacement"}
METRIC, K = "recall", "10"


def read(results, folder, name):
    return read_table(results / folder / "ml-1m" / "last_one" / f"{name}.parquet")


def at_ten(table):
    """Return the rows of recall@10 with the way candidates were drawn and how many there were."""
    rows = table[(table["metric"] == METRIC) & (table["k"] == K)]
    way, size = rows["sampler"].str.rpartition("_")[[0, 2]].to_numpy().T
    return rows.assign(way=way, candidates=size.astype(int))


def bounds_table(bounds, accuracy):
    """Return a table per way: bounds of the first repeat and the mean estimate, by model and number of candidates."""
    exact = accuracy.drop_duplicates("model").set_index("model")["exact"].sort_values()
    text = ""
    for way, estimator in WAYS.items():
        sizes = sorted(bounds.loc[bounds["way"] == way, "candidates"].unique())
        text += f"\nCandidates {TITLES[way]}: bounds of recall@10, and the mean estimate of `{estimator}`\n\n"
        text += "| model | exact | " + " | ".join(f"{size} candidates" for size in sizes) + " |\n"
        text += "|---|---|" + "---|" * len(sizes) + "\n"
        for model, value in exact.items():
            cells = [cell(bounds, accuracy, way, estimator, model, size) for size in sizes]
            text += f"| {model} | {value:.3f} | " + " | ".join(cells) + " |\n"
    return text


def cell(bounds, accuracy, way, estimator, model, size):
    def one(table):
        chosen = (table["way"] == way) & (table["model"] == model) & (table["candidates"] == size)
        return table[chosen & (table["estimator"] == estimator)].iloc[0]

    row, found = one(bounds), one(accuracy)
    return f"{row.bound_low:.3f} to {row.bound_high:.3f}; {found['mean']:.3f}"


def order_table(order):
    """Return how often two models come out in the order of exact recall@10, in per cent of pairs and repeats."""
    order = order.dropna(subset="right")
    share = order.groupby(["way", "estimator", "candidates"], sort=False)[["right", "repeats"]].sum()
    percent = (100 * share["right"] / share["repeats"]).unstack("candidates")
    text = "\n| drawn | estimator | " + " | ".join(f"{size} candidates" for size in percent.columns) + " |\n"
    text += "|---|---|" + "---|" * len(percent.columns) + "\n"
    for (way, estimator), row in percent.iterrows():
        cells = " | ".join("–" if pd.isna(value) else f"{value:.0f}" for value in row)
        text += f"| {TITLES[way]} | `{estimator}` | {cells} |\n"
    return text


def bounds_picture(bounds, accuracy, path):
    """Draw the bounds of each model against the number of candidates, the exact value as a line across."""
    exact = accuracy.drop_duplicates("model").set_index("model")["exact"].sort_values()
    canvas = Figure(figsize=(9, 3.4), layout="constrained")
    for axes, way in zip(canvas.subplots(1, 2, sharey=True), WAYS, strict=True):
        own = bounds[bounds["way"] == way].drop_duplicates(["model", "candidates"])
        sizes = sorted(own["candidates"].unique())
        for place, model in enumerate(exact.index):
            rows = own[own["model"] == model].set_index("candidates").loc[sizes]
            x = [number + 0.14 * (place - 2) for number in range(len(sizes))]
            axes.vlines(x, rows["bound_low"], rows["bound_high"], color=f"C{place}", linewidth=4, alpha=0.5)
            axes.plot(x, [exact[model]] * len(x), "_", color=f"C{place}", markersize=7, label=model)
        axes.set(title=f"candidates {TITLES[way]}", xlabel="candidates", xticks=range(len(sizes)))
        axes.set_xticklabels(sizes)
    canvas.axes[0].set_ylabel("recall@10: bounds and exact value")
    canvas.axes[0].legend(fontsize="small")
    canvas.savefig(path, dpi=110, metadata={"Software": None})


def known_picture(known, path):
    """Draw what samples tell of recall at every cut-off, of the best model."""
    groups = list(known.groupby("negatives"))
    canvas = Figure(figsize=(9, 3), layout="constrained")
    for axes, (negatives, rows) in zip(canvas.subplots(1, len(groups), sharey=True), groups, strict=True):
        k = rows["k"].astype(int)
        axes.fill_between(k, rows["low"], rows["high"], alpha=0.3, linewidth=0)
        axes.plot(k, rows["exact"])
        axes.set(title=f"{negatives} candidates", xlabel="k", xscale="log")
    canvas.axes[0].set_ylabel("recall@k")
    canvas.savefig(path, dpi=110, metadata={"Software": None})


def main(results):
    mpl.use("Agg")
    results = Path(results)
    bounds, accuracy, order = (at_ten(read(results, "meta", name)) for name in ("bounds", "accuracy", "order"))
    text = PAGE.read_text(encoding="utf-8").partition(MARK)[0] + MARK
    text += "\n## Bounds and estimates\n" + bounds_table(bounds, accuracy)
    text += "\n![Bounds of recall@10 of five models against the number of candidates](llm-candidates-bounds.png)\n"
    text += "\n## Order of the models\n\nPairs in the order of exact recall@10, per cent over all pairs and repeats:\n"
    text += order_table(order)
    model = read(results, "curves", "known")["model"].iloc[0]
    text += "\n## Which cut-offs can be known\n\n"
    text += f"Bounds of recall@k from a uniform sample, for {model}; the line is the exact value:\n"
    text += "\n![Recall at every cut-off that samples of 19, 99 and 499 candidates admit](llm-candidates-known.png)\n"
    PAGE.write_text(text, encoding="utf-8")
    bounds_picture(bounds, accuracy, HERE / "llm-candidates-bounds.png")
    known_picture(read(results, "curves", "known"), HERE / "llm-candidates-known.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
