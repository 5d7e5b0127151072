"""One look for every figure, readable in print, in the dark and by colour-blind readers."""

from contextlib import contextmanager
from typing import NamedTuple

import matplotlib as mpl
import seaborn as sns
from matplotlib.figure import Figure as Canvas

INK = "#1d2329"
LINE = "#d5dbe1"
GREY = "#a3acb5"
PANEL = (4.6, 3.0)
RC = {
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "axes.edgecolor": LINE,
    "axes.labelcolor": INK,
    "axes.titlesize": "large",
    "axes.titlelocation": "left",
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
REST = Style(GREY, "", "―")


def styles(models):
    """Return a style per model: the first eight stand out, the rest are grey."""
    return {model: STYLES[place] if place < len(STYLES) else REST for place, model in enumerate(models)}


@contextmanager
def theme():
    """Draw in our look, whatever the user's own matplotlib settings are, and leave those as they were."""
    with mpl.rc_context():
        mpl.rcdefaults()
        sns.set_theme(context="paper", style="whitegrid", palette=[style.colour for style in STYLES], rc=RC)
        yield


@contextmanager
def panel(title="", x="", y="", height=PANEL[1]):
    """Yield the axes of one new panel; its labels are set and its frame removed."""
    with theme():
        canvas = Canvas(figsize=(PANEL[0], height), layout="constrained")
        axes = canvas.subplots()
        yield axes
        axes.set(title=title, xlabel=x, ylabel=y)
        axes.set_axisbelow(True)
        sns.despine(ax=axes, left=True)
