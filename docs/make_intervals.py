"""Measure how often intervals of means hold the mean, and write the tables of docs/intervals.md.

    .venv/bin/python docs/make_intervals.py results       # of a finished study, as `make report` leaves it

The test users of a dataset are taken for the population. Samples of them, drawn with replacement, get intervals.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from truerank.artefacts.files import largest, n_rows, read_json, read_table
from truerank.config.merging import merged
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.evaluation import limits, policy_of
from truerank.metrics._core.intervals import mean_interval
from truerank.provenance import generator

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).with_name("intervals.md")
MARK = "<!-- written by make_intervals.py -->\n"
DATASET = "ml-100k"
SIZES = (50, 200, 943)
REPEATS = 4000
HEADER = (
    "| metric | normal, lowest coverage | width | ours there | width | ours, lowest coverage | width "
    "| normal's width there |"
)


def normal_interval(values):
    """Return what ``mean_interval`` is compared with: the mean plus and minus 1.96 standard errors."""
    mean, half = values.mean(axis=-1), 1.96 * values.std(axis=-1, ddof=1) / np.sqrt(values.shape[-1])
    return mean - half, mean + half


def measure(population, policy, low, high, rng, sizes=SIZES, repeats=REPEATS):
    """Return, per size of sample: share of normal intervals that hold the mean, their mean width, and both for ours.

    population : per-user values. policy : what becomes of undefined ones. An interval that is absent is left out.
    """
    missing = np.isnan(population)
    population = population[~missing] if policy == "drop" else np.where(missing, 0, population)
    possible = () if policy == "drop" else (0.0,)
    found = {}
    for size in sizes:
        samples = population[rng.integers(0, len(population), (repeats, size))]
        normal, ours = normal_interval(samples), mean_interval(samples, low, high, possible)
        found[size] = (*held(*normal, population.mean()), *held(*ours, population.mean()))
    return found


def held(low, high, mean):
    given = ~np.isnan(low)
    slack = 1e-12 * max(1, abs(mean))
    return ((low <= mean + slack) & (high >= mean - slack))[given].mean(), (high - low)[given].mean()


def of_study(results, part, config):
    """Yield metric, model, cut-off and what ``measure`` finds, for every column of a part of the study."""
    select = config["select"][part]
    split = select["split"]
    per_user = read_table(results / "metrics" / DATASET / split / "per_user.parquet")
    data = results / "datasets" / DATASET
    size = n_rows(data / "users.parquet"), n_rows(data / "items.parquet")
    scale = read_json(data / "summary.json")["rating_scale"]
    rule = select.get("relevance", config["relevance"])
    for model in select["models"]:
        depth = largest(results / "lists" / DATASET / split / f"{model}.parquet", "position")
        values = per_user[per_user["model"] == model].drop(columns=["model", "user"])
        for column in values.columns[values.notna().any()]:
            metric, _, k = column.rpartition("@")
            definition = {"relevance": rule} | config["metrics"].get(metric, {"kind": metric})
            low, (high, *_) = limits(definition, [k], Extent(*size, depth, scale))
            policy = policy_of(definition, config["undefined_users"])
            rng = generator(config["seed"], "intervals", part, column)
            yield metric, model, k, measure(values[column].to_numpy(float), policy, low, high, rng)


def tables(rows):
    """Return a Markdown table per size: for each metric where the normal interval holds least, and where ours does."""
    text = ""
    for size in SIZES:
        text += f"\n### {size} users\n\n{HEADER}\n"
        text += "|---|---|---|---|---|---|---|---|\n"
        for metric, of_metric in rows.groupby("metric", sort=False):
            at_size = of_metric[of_metric["size"] == size]
            one, other = (at_size.loc[at_size[name].idxmin()] for name in ("normal", "ours"))
            text += f"| {metric} | {share(one.normal)} {where(one)} | {one.normal_width:.3g} | {share(one.ours)} "
            text += f"| {one.ours_width:.3g} | {share(other.ours)} {where(other)} | {other.ours_width:.3g} "
            text += f"| {other.normal_width:.3g} |\n"
    return text


def share(value):
    return f"{value:.3f}".removeprefix("0")


def where(row):
    return f"({row.model}@{row.k})"


def main(results):
    config, _ = merged({})
    text = PAGE.read_text(encoding="utf-8").partition(MARK)[0] + MARK
    for part, title in (("ranking", "Ranking part"), ("sampling", "Sampling part: one item held out")):
        found = [
            (metric, model, k, size, *numbers)
            for metric, model, k, of_size in of_study(Path(results), part, config)
            for size, numbers in of_size.items()
        ]
        names = ["metric", "model", "k", "size", "normal", "normal_width", "ours", "ours_width"]
        rows = pd.DataFrame(found, columns=names)
        print(rows.groupby("size")[["normal", "ours"]].describe(percentiles=[0.01, 0.5]).T.to_string())
        text += f"\n## {title}\n{tables(rows)}"
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
