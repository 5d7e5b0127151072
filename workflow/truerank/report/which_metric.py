"""Which metric: how well each one tells models apart, against how well it keeps their order without all judgements."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from truerank.meta.criterion import CAP
from truerank.report.figure import Figure
from truerank.report.labels import Label, name_points
from truerank.report.metric_names import written
from truerank.report.study import Part, as_number
from truerank.report.theme import CARD, GREY, LOW, STYLES, card_height, panel

USUAL = (("ndcg", "10"), ("recall", "10"), ("ap", "10"), ("ap", "all"))
IN_SET, NAMED = STYLES[0].colour, STYLES[1].colour
LEAST = 0.1  # range of an axis, where all metrics are alike
EDGE = 0.04  # of the range of an axis that stays free at both ends
FAR = 3  # times the range between quartiles: points beyond stand at the edge of the picture


def metric_figure(part: Part) -> Figure | None:
    """Every metric at every cut-off as a point, the best set in colour; None where nothing was told apart.

    Without robustness the cut-off takes its place on the upright axis.
    """
    points = judged_metrics(part)
    if points.empty:
        return None
    robust = points["tau"].notna().any()
    points = points.assign(y=points["tau"] if robust else points["k"].map(as_number)).dropna(subset=["criterion", "y"])
    if not robust:
        deepest = points["y"].replace(np.inf, np.nan).max()
        points["y"] = np.log2(points["y"].replace(np.inf, 2 * deepest if deepest == deepest else 2))
    alike = len(points[["criterion", "y"]].round(6).drop_duplicates()) == 1
    height = LOW if alike else card_height(len(part.models))
    upright = "keeps the order of models: mean tau" if robust else "cut-off"
    with panel("", "separates models: mean |z| of pairs", upright, height=height, width=CARD[0]) as axes:
        left_out = limit(axes, points, robust)
        inside, whole = points["in_best_set"].astype(bool), points["judges"] == "whole"
        axes.scatter(points.loc[whole, "x"], points.loc[whole, "y"], 22, "none", zorder=2, linewidth=1, edgecolor=GREY)
        for chosen, colour, size, order in ((~inside & ~whole, GREY, 14, 2), (inside & ~whole, IN_SET, 24, 3)):
            axes.scatter(points.loc[chosen, "x"], points.loc[chosen, "y"], size, colour, zorder=order, linewidth=0)
        first = points[points["named"]]
        axes.scatter(first["x"], first["y"], 75, NAMED, marker="D", zorder=4, linewidth=0)
        if not robust:
            ticks = sorted(set(zip(points["y"], points["k"], strict=True)))
            axes.set_yticks([place for place, _ in ticks], [k for _, k in ticks])
        name_points(axes, list(labels(points)), points[["x", "y"]].to_numpy())
    return Figure("which_metric", {said(points, robust): axes}, caption(points, robust, left_out))


def judged_metrics(part: Part) -> pd.DataFrame:
    """One row per metric and cut-off of the trial: criterion, in_best_set, judges, tau (mean over biases), named."""
    power = part.meta("discriminative_power")
    if power.empty:
        return power
    table = power.merge(part.meta("best_set")[["metric", "k", "judges"]], on=["metric", "k"])
    if table.empty or table["criterion"].isna().all():
        return pd.DataFrame()
    kept = robustness_of(part)
    table = table.merge(kept, on=["metric", "k"], how="left") if len(kept) else table.assign(tau=np.nan)
    found = part.study.verdict["metrics"]
    chosen = (found["metric"], found["k"]) if found else part.headlines[0]
    table["named"] = [(m, k) == chosen for m, k in zip(table["metric"], table["k"], strict=True)]
    return table.assign(x=table["criterion"]).reset_index(drop=True)


def robustness_of(part: Part) -> pd.DataFrame:
    """Mean tau over the biases by metric and cut-off; no rows where it was not measured."""
    if part.name != "ranking":
        return pd.DataFrame(columns=["metric", "k", "tau"])
    return part.meta("robustness_summary").groupby(["metric", "k"], as_index=False)["tau"].mean()


def limit(axes: Axes, points: pd.DataFrame, robust: bool) -> int:
    """Set the limits of the axes; points far from all others move to the edge, and their number is returned.

    An axis whose points are all alike is widened, but not beyond what a mean z or tau can be.
    """
    far = pd.Series(False, points.index)
    largest = {"x": CAP, "y": 1.0 if robust else np.inf}
    for column, set_limits in (("x", axes.set_xlim), ("y", axes.set_ylim)):
        values = points[column].copy()
        quarter, three = values.quantile([0.25, 0.75])
        lowest = quarter - max(FAR * (three - quarter), LEAST)
        keep = points["named"] | points["in_best_set"].astype(bool) | (values >= lowest)
        far |= ~keep
        low, high = values[keep].min(), values[keep].max()
        missing = max(0, LEAST - (high - low))
        above = min(missing / 2, max(0, largest[column] - high))
        low, high = low - (missing - above), high + above
        room = high - low
        points[column] = values.clip(lower=low - EDGE * room)
        set_limits(low - 2 * EDGE * room, high + 2 * EDGE * room)
    return int(far.sum())


def labels(points: pd.DataFrame) -> Iterator[Label]:
    """The metric that is named first, then the usual ones, then the ends of the best set."""
    ends = points[points["in_best_set"].astype(bool) & (points["judges"] != "whole")].nlargest(2, "x")
    rows = pd.concat([points[points["named"]], *(points[is_at(points, *usual)] for usual in USUAL), ends])
    seen: set[tuple[float, float]] = set()
    for row in rows.drop_duplicates(["metric", "k"]).itertuples():
        if (place := (round(row.x, 6), round(row.y, 6))) in seen:
            continue
        seen.add(place)
        yield Label(written(row.metric, row.k), row.x, row.y, bold=bool(row.named))


def is_at(points: pd.DataFrame, metric: str, k: str) -> pd.Series:
    return (points["metric"] == metric) & (points["k"] == k)


def said(points: pd.DataFrame, robust: bool) -> str:
    """What is seen, for those who cannot see it."""
    inside = n_inside(points)
    named = points[points["named"]]
    where = ""
    if len(named):
        row = named.iloc[0]
        keeps = f" and keeps the order with tau {row['tau']:.3f}" if robust else ""
        where = f"; {row['metric']}@{row['k']} separates pairs by a mean z of {row['criterion']:.2f}{keeps}"
    return f"Points: {len(points)} metrics at their cut-offs, {inside} of them in the best set{where}"


def caption(points: pd.DataFrame, robust: bool, left_out: int) -> str:
    inside, whole = n_inside(points), (points["judges"] == "whole").any()
    best = "further right and further up is better" if robust else "further right is better"
    edge = f"; {left_out} far below are drawn at the edge" if left_out else ""
    rings = " Rings: metrics of whole rankings, compared separately." if whole else ""
    blue = f"Blue: the {inside} of the best set; orange: the recommended one{edge}."
    return f"A point is a metric at a cut-off; {best}. {blue}{rings}"


def n_inside(points: pd.DataFrame) -> int:
    """The size of the best set, of metrics with a cut-off where there are some."""
    rows = points[points["judges"] != "whole"]
    return int((rows if len(rows) else points)["in_best_set"].sum())
