"""Errors of estimates as points, on an axis that is not spent on the few that are far off."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes

from truerank.report.figure import Figure
from truerank.report.theme import GREY, Style, panel

FAR = 8  # times the error that half of the estimators reach: what is further off is written, not drawn
ROOM = 0.08  # of what is drawn, free at both ends


def error_figure(rows: pd.DataFrame, metrics: Sequence[str], looks: Mapping[str, Style]) -> Figure:
    """One panel per metric, one row per estimator of the first sampler, one point per model.

    rows : metric, sampler, estimator, model, mean, exact.
    """
    sampler = rows["sampler"].iloc[0]
    panels = {}
    for metric in metrics:
        chosen = rows[(rows["metric"] == metric) & (rows["sampler"] == sampler)]
        errors = chosen.assign(error=chosen["mean"] - chosen["exact"])
        errors = errors.pivot(index="estimator", columns="model", values="error").reindex(chosen["estimator"].unique())
        axes = error_panel(metric, errors, looks)
        panels[f"Points: error of each estimator for {metric}, one point per model"] = axes
    caption = (
        f"Mean over repeats of the estimate minus the exact value, sampler {sampler}; 0 is no error. Errors beyond the "
        "axis are written as numbers on their side."
    )
    return Figure("sampled_errors", panels, caption, looks)


def error_panel(title: str, errors: pd.DataFrame, looks: Mapping[str, Style]) -> Axes:
    """The errors of one metric. errors : estimators x models."""
    low, high = limits(errors)
    with panel(title, "estimate minus exact", height=0.9 + 0.19 * len(errors)) as axes:
        for place, (_, row) in enumerate(errors.iterrows()):
            for model, look in looks.items():
                if low <= row[model] <= high:
                    axes.plot(row[model], place, look.marker or "o", color=look.colour)
            sentence = beyond(row, low, high)
            axes.text(1.01, place, sentence, transform=axes.get_yaxis_transform(), va="center", fontsize=8)
        axes.axvline(0, linewidth=1, color=GREY)
        room = ROOM * (high - low)
        axes.set_xlim(low - room, high + room)
        axes.set_yticks(range(len(errors)), errors.index)
        axes.set_ylim(len(errors) - 0.4, -0.6)
        axes.grid(axis="y", visible=False)
        axes.locator_params(axis="x", nbins=3)
    return axes


def limits(errors: pd.DataFrame) -> tuple[float, float]:
    """Return the lowest and the highest error, or 0, of the estimators that are not far off."""
    largest = errors.abs().max(axis=1)
    near = errors[largest <= FAR * largest.median()]
    low, high = min(0.0, float(near.min(axis=None))), max(0.0, float(near.max(axis=None)))
    return (low, high) if low < high else (-1.0, 1.0)


def beyond(row: pd.Series, low: float, high: float) -> str:
    """Say where the errors of an estimator are that the axis does not reach; nothing where there are none."""
    far = row[(row < low) | (row > high)]
    if far.empty:
        return ""
    least, most = f"{far.min():+.2f}", f"{far.max():+.2f}"
    arrow = "→" if far.min() > 0 else "←" if far.max() < 0 else "↔"
    return f"{arrow} {least}" if least == most else f"{arrow} {least} to {most}"
