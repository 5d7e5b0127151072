"""What an error costs: samplers and estimators by the scores that they take."""

from typing import Any

import pandas as pd

from truerank.report.figure import Figure
from truerank.report.metric_names import written
from truerank.report.sampled import artefact
from truerank.report.study import Part
from truerank.report.theme import GREY, line_style, panel, styles

CAPTION = (
    "Error of {metric}, averaged over cut-offs, repeats and models, against the items that are scored per instance, "
    "both logarithmic; lower and further left is better."
)
EXACT = " Dotted: every rank up to @{k} is known after so many scores, in the order of {proxy}; there is no error."


def error_by_cost(part: Part) -> Figure | None:
    """Error of a metric against scores per instance, a line per way of sampling; None without two points."""
    metric, points = error_and_cost(part)
    seen = points[(points["error"] > 0) & ~points["exact"].astype(bool)]
    if len(seen) < 2:
        return None
    looks = styles(dict.fromkeys(seen.sort_values("error")["way"]))  # of many ways the best are in colour
    with panel(written(metric), "items scored per instance", "mean relative error (%)") as axes:
        for way, rows in seen.groupby("way", sort=False):
            rows = rows.sort_values("scores")
            axes.plot(rows["scores"], 100 * rows["error"], **line_style(looks[way], len(rows)))
        caption = CAPTION.format(metric=written(metric))
        for row in points[points["exact"].astype(bool)].itertuples():
            axes.axvline(row.scores, color=GREY, linestyle=":")
            caption += EXACT.format(k=int(row.k), proxy=row.proxy)
        axes.set_xscale("log")
        axes.set_yscale("log")
    return Figure("error_by_cost", {f"Relative error of {metric} by items scored": axes}, caption, looks, lines=True)


def error_and_cost(part: Part) -> tuple[str, pd.DataFrame]:
    """Return a metric, and one row per sampler and estimator: way (its line), scores, error, exact, k and proxy.

    The metric is the first of those that most samplers and estimators estimate: some look at the first places alone.
    """
    table = artefact(part, "meta", "error")
    found = table.drop_duplicates(["metric", "sampler", "estimator"])["metric"].value_counts()
    metric = max((name for name, _ in part.headlines), key=lambda name: found.get(name, 0))
    error = table[table["metric"] == metric].groupby(["sampler", "estimator"], sort=False)["error"].mean()
    cost = artefact(part, "meta", "cost").groupby("sampler")["per_instance"].mean()
    definitions = part.study.selection.samplers
    rows: list[dict[str, Any]] = []
    for (sampler, estimator), value in error.items():
        definition = definitions[sampler]
        about = {"way": way(definition, estimator), "scores": cost[sampler], "error": value}
        exact = definition["kind"] == "informed" and bool(definition.get("exact"))
        known = {"k": definition.get("k", 10), "proxy": definition.get("proxy", "popularity")} if exact else {}
        rows.append(about | {"exact": exact} | known)
    return metric, pd.DataFrame(rows, columns=["way", "scores", "error", "exact", "k", "proxy"])


def way(definition: dict[str, Any], estimator: str) -> str:
    """Name the line of a sampler with an estimator: samplers that differ in the number of scores alone share one."""
    if definition["kind"] == "informed":
        return f"informed by {definition.get('proxy', 'popularity')}"
    if definition["kind"] == "users":
        return "some users, exactly"
    return estimator if definition["kind"] == "uniform" else f"{definition['kind']}, {estimator}"
