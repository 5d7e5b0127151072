"""One look for every figure, readable in print, in the dark and by colour-blind readers."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import LogFormatter, NullLocator

INK = "#1d2329"
LINE = "#d5dbe1"
GREY = "#a3acb5"
PANEL = (3.8, 2.5)
WIDE = 5.0  # the width of a panel of which two stand side by side
CARD = (3.5, 3.9)  # of a picture of the first screen, three of which stand side by side
FEW_MODELS, LOW = 4, 2.8  # so many have pictures of this height there
RC = {
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "axes.edgecolor": LINE,
    "axes.labelcolor": INK,
    "axes.titlesize": "large",
    "axes.titlelocation": "left",
    "axes.titley": 1.0,  # found anew at each drawing otherwise
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "lines.markersize": 5.5,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "font.size": 9,
    "svg.fonttype": "none",
    "text.parse_math": False,
}


class Style(NamedTuple):
    """How one model is drawn everywhere; ``glyph`` is the marker as a character, for legends."""

    colour: str
    marker: str
    glyph: str


STYLES = [
    Style("#0173b2", "o", "●"),
    Style("#d55e00", "s", "■"),
    Style("#029e73", "^", "▲"),
    Style("#cc78bc", "D", "◆"),
    Style("#ca9161", "v", "▼"),
    Style("#56b4e9", "P", "✚"),
    Style("#de8f05", "X", "✖"),
    Style("#a5437a", "*", "★"),
]
MARKERS = [style.marker for style in STYLES]
REST = Style(GREY, "", "―")
MANY_POINTS = 25


def styles(models: Iterable[str]) -> dict[str, Style]:
    """Return a style per model: the first eight stand out, the rest are grey."""
    return {model: STYLES[place] if place < len(STYLES) else REST for place, model in enumerate(models)}


def ordered_styles(names: Iterable[str]) -> dict[str, Style]:
    """Return a style per name of an ordered list, such as cut-offs: from light to dark, none of them grey."""
    names = list(names)
    shades = mpl.colormaps["viridis_r"](np.linspace(0.1, 0.95, len(names)))
    return {
        name: STYLES[place % len(STYLES)]._replace(colour=mpl.colors.to_hex(shade))
        for place, (name, shade) in enumerate(zip(names, shades, strict=True))
    }


def line_style(look: Style, points: int) -> dict[str, Any]:
    """Return how a line of so many points is drawn: markers on all, or on some where they would touch; grey is thin."""
    if look is REST:
        return {"color": look.colour, "linewidth": 0.8, "zorder": 1.5}
    first = MARKERS.index(look.marker) / len(MARKERS)  # markers of lines that lie on each other stand side by side
    return {
        "color": look.colour,
        "marker": look.marker,
        "markevery": (first / 10, 0.1) if points > MANY_POINTS else None,
    }


def card_height(n_models: int) -> float:
    """Return the height of a picture of the first screen, so that those of one study are alike."""
    return CARD[1] if n_models > FEW_MODELS else LOW


def plain_numbers(axis: Axis) -> None:
    """Write the ticks of a logarithmic axis as numbers, where matplotlib would write powers of ten in mathematics."""
    if isinstance(axis.get_major_formatter(), LogFormatter):
        axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
        axis.set_minor_locator(NullLocator())  # our look shows none, and making them takes time


IN_USE = ContextVar("IN_USE", default=False)  # whether our look is set already: setting it takes time


@contextmanager
def theme() -> Iterator[None]:
    """Draw in our look, whatever the user's own matplotlib settings are, and leave those as they were."""
    if IN_USE.get():
        yield
        return
    outside = IN_USE.set(True)
    try:
        with mpl.rc_context(settings()):  # type: ignore[arg-type]  # keys are those of rcParams
            yield
    finally:
        IN_USE.reset(outside)


@cache
def settings() -> dict[str, Any]:
    """Return all settings of our look, made once; the backend and its like stay the user's."""
    import seaborn as sns  # slow to import, and a page whose figures were drawn before needs none

    with mpl.rc_context():
        mpl.rcdefaults()
        sns.set_theme(context="paper", style="whitegrid", palette=[style.colour for style in STYLES], rc=RC)
        return {key: value for key, value in mpl.rcParams.items() if not key.startswith("backend")}


@contextmanager
def panel(
    title: str = "", x: str = "", y: str = "", height: float = PANEL[1], width: float = PANEL[0]
) -> Iterator[Axes]:
    """Yield the axes of one new panel; its labels are set and its frame removed."""
    with theme():
        canvas = Canvas(figsize=(width, height))
        axes = canvas.add_axes((0.16, 0.16, 0.8, 0.74))
        yield axes
        axes.set(title=title, xlabel=x, ylabel=y)
        axes.set_axisbelow(True)
        for axis in (axes.xaxis, axes.yaxis):
            plain_numbers(axis)
        axes.spines[["left", "right", "top"]].set_visible(False)
