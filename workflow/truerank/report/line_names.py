"""Names beside the ends of lines, where there is room, instead of a legend."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from truerank.report.labels import in_points, spread
from truerank.report.metric_names import with_names_written
from truerank.report.theme import INK, REST, Style

SIZE = 8  # points
LONGEST = 16  # letters of a name, for a third of the page to hold it beside its lines
GAP, GLYPH = 5, 10  # points between the axes and the marker, and between the marker's start and the name
LINE_HEIGHT = 1.15  # of the font's size


def fit_beside(legend: Mapping[str, Style]) -> bool:
    """Tell whether the names of the lines that stand out are short enough."""
    return all(len(with_names_written(name)) <= LONGEST for name, look in legend.items() if look is not REST)


def name_lines(axes: Axes, legend: Mapping[str, Style]) -> None:
    """Write the name of every line beside its right end, its marker before it. The limits of the axes must be final."""
    axes.get_xlim(), axes.get_ylim()  # only then do the transforms know limits that follow from the data
    ends = {name: right_end(axes, look) for name, look in legend.items() if look is not REST}
    heights = {name: end for name, end in ends.items() if end is not None}
    if not heights:
        return
    least = LINE_HEIGHT * SIZE / in_points(axes)[1]
    places = within(spread(list(heights.values()), least), least)
    for name, place in zip(heights, places, strict=True):
        beside(axes, legend[name].glyph, place, GAP, legend[name].colour)
        beside(axes, with_names_written(name), place, GAP + GLYPH, INK)


def right_end(axes: Axes, look: Style) -> float | None:
    """Return the height, as a share of the axes, at which a line leaves them or ends; None if there is no such line."""
    for line in axes.lines:
        if line.get_color() != look.colour or line.get_linestyle() in ("None", ""):
            continue
        points = np.column_stack([line.get_xdata(), line.get_ydata()]).astype(float)
        points = points[np.isfinite(points).all(axis=1)]
        seen = axes.transAxes.inverted().transform(axes.transData.transform(points))
        seen = seen[(seen[:, 0] >= 0) & (seen[:, 0] <= 1)]
        if len(seen) > 1:
            return float(np.clip(seen[seen[:, 0].argmax(), 1], 0, 1))
    return None


def within(places: np.ndarray, least: float) -> np.ndarray:
    """Return places, ``least`` apart at the least, moved into the axes as far as there is room."""
    order = np.argsort(places, kind="stable")
    steps = least * np.arange(len(places))
    found = np.empty(len(places))
    found[order] = np.minimum(np.maximum(places[order], steps), 1 - steps[::-1])
    return found


def beside(axes: Axes, text: str, place: float, shift: float, colour: str) -> None:
    axes.annotate(
        text,
        (1, place),
        (shift, 0),
        xycoords="axes fraction",
        textcoords="offset points",
        va="center",
        fontsize=SIZE,
        color=colour,
        annotation_clip=False,
    )
