"""Which model: the leaderboard by the metric that speaks for all, with intervals and groups."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from truerank.report.far_worse import edge_of, far_worse
from truerank.report.figure import Figure
from truerank.report.grouped import letters
from truerank.report.metric_names import written
from truerank.report.short_names import short_names
from truerank.report.standings import INTERVAL
from truerank.report.study import Part
from truerank.report.theme import CARD, GREY, INK, STYLES, card_height, panel

MOST = 30
LEADING = 3  # models in colour
ROOMY = 10  # models up to which each has a bar, its name above it
SMALL = 14  # models from which on letters are smaller
AXIS = 47  # points of a picture that its axis takes
THICK = 15  # points of a bar at the most
ABOVE = 2  # points between a bar and the name above it


def model_figure(part: Part) -> Figure | None:
    """The models, best on top, the leading ones in colour; None where no model has a value.

    A few are bars from 0 with their names above them; more are points, and those far behind stand at the edge.
    """
    metric, k = part.headlines[0]
    rows = part.standings(metric, k).dropna(subset="value")
    if rows.empty:
        return None
    shown, groups = rows.head(MOST), letters(part, metric, k)
    higher, height = part.higher_is_better(metric), card_height(len(shown))
    with panel("", f"{written(metric, k)}, mean over users", height=height, width=CARD[0]) as axes:
        if len(shown) <= ROOMY:
            draw_bars(axes, shown, groups, (72 * height - AXIS) / len(shown))
        else:
            draw_points(axes, shown, groups, higher)
        axes.set_ylim(len(shown) - 0.4, -0.6)
        axes.grid(axis="y", visible=False)
        axes.locator_params(axis="x", nbins=5 if len(shown) <= ROOMY else 3)
    n_far = int(far_worse(shown["value"], higher).sum()) if len(shown) > ROOMY else 0
    first, drawn = rows.iloc[0], "Bars from 0" if len(shown) <= ROOMY else "Points with bars"
    said = f"{drawn}: {metric}@{k} of {len(shown)} models, {first['model']} first with {first['value']:.4f}"
    return Figure("which_model", {said: axes}, caption(len(rows), bool(groups), higher, n_far))


def draw_bars(axes: Axes, shown: pd.DataFrame, groups: Mapping[str, str], pitch: float) -> None:
    """A bar per model with its interval, name and value above it. pitch : points from one model to the next."""
    thick = min(THICK, 0.4 * pitch) / pitch
    names = short_names(shown["model"])
    for place, row in enumerate(shown.itertuples()):
        middle = place + 0.3 - thick / 2
        axes.barh(middle, row.value, thick, color=colour_of(place), linewidth=0)
        if not pd.isna(row.ci_low):
            axes.plot([row.ci_low, row.ci_high], [middle, middle], color=INK, linewidth=1.4)
        above: dict[str, Any] = {"xytext": (0, ABOVE), "textcoords": "offset points", "va": "bottom", "fontsize": 8.5}
        beside = axes.get_yaxis_transform()
        for x, side, text in ((0, "left", names[row.model]), (1, "right", in_words(row.value, groups, row.model))):
            axes.annotate(text, (x, middle - thick / 2), xycoords=beside, ha=side, **above)
    axes.set_yticks([])
    axes.set_xlim(
        min(0, shown["ci_low"].min(), shown["value"].min()), max(0, shown["ci_high"].max(), shown["value"].max())
    )


def draw_points(axes: Axes, shown: pd.DataFrame, groups: Mapping[str, str], higher: bool) -> None:
    """A point per model with its interval, its name on the left and its value on the right."""
    size, marker = (8.5, 6) if len(shown) <= SMALL else (7.5, 4)
    far = far_worse(shown["value"], higher)
    edge = edge_of(shown[~far], higher)
    for place, row in enumerate(shown.itertuples()):
        colour = colour_of(place)
        if far.iloc[place]:
            axes.plot(edge, place, "<" if higher else ">", color=colour, markersize=marker)
        else:
            if not pd.isna(row.ci_low):
                axes.plot([row.ci_low, row.ci_high], [place, place], color=colour, linewidth=2.4)
            axes.plot(row.value, place, "o", color=colour, markersize=marker)
        text = in_words(row.value, groups, row.model)
        axes.text(1.02, place, text, transform=axes.get_yaxis_transform(), va="center", fontsize=size)
    axes.set_yticks(range(len(shown)), list(short_names(shown["model"]).values()), fontsize=size)


def colour_of(place: int) -> str:
    return STYLES[place].colour if place < LEADING else GREY


def in_words(value: float, groups: Mapping[str, str], model: str) -> str:
    return f"{value:.3f}  {groups[model]}" if model in groups else f"{value:.3f}"


def caption(n_models: int, grouped: bool, higher: bool, n_far: int) -> str:
    more = f" The first {MOST} of {n_models} models." if n_models > MOST else ""
    share = " Models that share a letter do not differ significantly." if grouped else ""
    less = "" if higher else " Less is better."
    edge = " An arrow stands for a value far beyond the axis." if n_far else ""
    return f"Mean and {INTERVAL} over users.{less}{share}{edge}{more}"
