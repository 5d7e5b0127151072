"""The numbers of a paper's table as bars, ours below each: a picture in the shape of the table."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from truerank.report.canvas import PAD
from truerank.report.compared import JUDGED, SIGNS
from truerank.report.figure import Figure
from truerank.report.paper_picture import LOOKS, blank
from truerank.report.short_names import short_names
from truerank.report.table import show
from truerank.report.text_width import text_width, wrapped
from truerank.report.theme import INK, PANEL, Style, panel

ROW, BAR = 13.5, 4.6  # points of a row, and of each of its two bars
SIZE, SMALL = 8.5, 7.5  # letters of names, and of what a full bar is
LINE, LINES = 10, 3  # points of a line of a column's name, and how many it may have
GAP, SIGN = 5, 11  # points between columns, and beside a bar for its sign
COLUMNS, PANELS = 3, 3  # of a panel, and of a row of the page
SEEN = 1.5  # points: a shorter tolerance is left out
FAR = 3  # times the median of its column or row: such a bar is cut
CUT, FULL = "→", "full bar"
WHOLE = 72 * PANEL[0] - 2 * PAD  # points that a panel has for drawing
PRINTED = Style("currentColor", "s", "□")


def printed_bars(name: str, table: Mapping[str, Any], frame: pd.DataFrame) -> Figure | None:
    """Return the bars of the printed figures and of ours, some columns of the table per panel; None without a pair.

    frame : one row per figure, as ``cells`` returns them. Rows and columns in which nothing was run are left out.
    """
    pair = frame["theirs"].notna() & frame["ours"].notna()
    has_pair = [pair.groupby(frame[by]).transform("any") for by in ("row", "column")]
    bars = scaled(frame[has_pair[0] & has_pair[1] & frame["theirs"].notna()], least=0.5 * 10 ** -table["digits"])
    if bars.empty:
        return None
    columns = list(bars["column"].unique())
    each = max(COLUMNS, -(-len(columns) // PANELS))
    each = -(-len(columns) // -(-len(columns) // each))  # as many in every panel, where that is possible
    layout = layout_of(bars, each, table["digits"])
    longest = max(text_width(word, SIZE) for column in columns for word in column.split())
    while each > 1 and longest > layout.wide - GAP:
        each -= 1
        layout = layout_of(bars, each, table["digits"])
    panels = {}
    for first in range(0, len(columns), each):
        shown = bars[bars["column"].isin(columns[first : first + each])]
        panels[said(table, shown)] = drawn(layout, shown)
    count = Counter(bars["outcome"])
    legend = {"printed": PRINTED} | {f"ours, {outcome}": look for outcome, look in LOOKS.items() if count[outcome]}
    return Figure(f"{name}_bars", panels, caption(bars), legend)


def scaled(frame: pd.DataFrame, least: float) -> pd.DataFrame:
    """Add what a bar's length is a share of: ``low`` to ``high`` of its column or of its row, ``by``.

    It is the one of both by which bars are longer, so that a column or row of large figures hides no others. Figures
    far above the median of theirs do not count: they are ``cut``. least : what is not printed as 0.
    """
    several = [by for by, other in (("column", "row"), ("row", "column")) if frame[other].nunique() > 1]
    kinds = [scaled_by(frame, by, least) for by in several or ["column"]]
    return max(kinds, key=lambda kind: (kind["longest"] / kind["high"]).mask(kind["cut"], 0).mean())


def scaled_by(frame: pd.DataFrame, by: str, least: float) -> pd.DataFrame:
    pairs = frame[["theirs", "ours"]]
    longest = pairs.abs().max(axis=1)
    cut = longest > FAR * longest.where(longest >= least).groupby(frame[by]).transform("median")
    cut &= ~cut.groupby(frame[by]).transform("all")
    kept = pairs.where(~cut)
    low = kept.min(axis=1).clip(upper=0).groupby(frame[by]).transform("min")
    high = kept.max(axis=1).clip(lower=0).groupby(frame[by]).transform("max")
    return frame.assign(by=by, longest=longest, cut=cut, low=low, high=high.where(high > low, low + 1))


class Layout(NamedTuple):
    """What all panels of a picture share: the names, what a full bar is, and where bars stand, in points."""

    names: dict[str, str]
    full: dict[str, str]
    by_row: bool
    left: float
    top: float
    wide: float


def layout_of(bars: pd.DataFrame, n_columns: int, digits: int) -> Layout:
    """Return the layout: names of rows on the left, of columns on top; a column is as wide in every panel."""
    by = bars["by"].iloc[0]
    names = short_names(bars["row"].unique())
    full = dict(zip(bars[by], (show(high, digits) for high in bars["high"]), strict=True))
    left = max(text_width(name, SIZE) for name in names.values()) + GAP
    if by == "row":
        left += max(text_width(text, SMALL) for text in (FULL, *full.values())) + GAP
    wide = (WHOLE - left) / n_columns
    lines = max(len(wrapped(column, wide - GAP, SIZE, LINES)) for column in bars["column"].unique())
    return Layout(names, full, by == "row", left, LINE * (lines + (by != "row")) + 2, wide)


def drawn(layout: Layout, bars: pd.DataFrame) -> Axes:
    """One panel: a column of bars for each column of the table that it shows."""
    left, top = layout.left, layout.top
    tops = {row: top + ROW * place for place, row in enumerate(layout.names)}
    height = top + ROW * len(tops)
    with panel("", height=(height + 2 * PAD) / 72, width=PANEL[0]) as axes:
        if layout.by_row:
            write(axes, left - GAP, top - LINE, FULL, SMALL, "right")
        for row, y in tops.items():
            write(axes, 0, y, layout.names[row], SIZE)
            if layout.by_row and row in layout.full:
                write(axes, left - GAP, y + 0.5, layout.full[row], SMALL, "right")
        for place, column in enumerate(bars["column"].unique()):
            x = left + place * layout.wide
            for line, text in enumerate(wrapped(column, layout.wide - GAP, SIZE, LINES)):
                write(axes, x, LINE * line, text, SIZE)
            if not layout.by_row:
                write(axes, x, top - LINE - 1, f"{FULL} {layout.full[column]}", SMALL)
            draw_column(axes, bars[bars["column"] == column], x, layout.wide - GAP - SIGN, tops)
        blank(axes, WHOLE, height)
    return axes


def write(axes: Axes, x: float, y: float, text: str, size: float, side: str = "left") -> None:
    axes.text(x, y, text, fontsize=size, va="top", ha=side, color=INK)


def draw_column(axes: Axes, cells: pd.DataFrame, x: float, wide: float, tops: Mapping[str, float]) -> None:
    """Bars of one column: printed ones hollow, with their tolerance, ours below in the colour of the outcome."""
    hollow: list[Rectangle] = []
    filled: dict[str, list[Rectangle]] = {}
    for cell in cells.itertuples():
        y, unit = tops[cell.row], wide / (cell.high - cell.low)
        zero = x - cell.low * unit
        theirs, ours = (min(max(figure, cell.low), cell.high) * unit for figure in (cell.theirs, cell.ours))
        hollow.append(Rectangle((zero, y), theirs, BAR))
        if cell.ours != cell.ours:
            continue
        filled.setdefault(cell.outcome, []).append(Rectangle((zero, y + BAR + 0.6), ours, BAR))
        reach = cell.tolerance * unit
        if reach > SEEN and not cell.cut:
            middle = zero + cell.expected * unit
            ends = [max(x, middle - reach), min(x + wide + SIGN, middle + reach)]
            axes.plot(ends, [y + BAR / 2] * 2, color=INK, linewidth=0.8)
        sign = (CUT if cell.cut else "") + (SIGNS[cell.outcome] if cell.outcome in JUDGED else "").removeprefix("=")
        if sign:
            write(axes, max(zero, zero + ours) + 1, y + 0.8 * BAR, sign, SMALL)
    axes.add_collection(PatchCollection(hollow, facecolor="none", edgecolor=INK, linewidth=0.6, label="printed"))
    for outcome, bars in filled.items():
        axes.add_collection(PatchCollection(bars, facecolor=LOOKS[outcome].colour, linewidth=0, label=outcome))


def said(table: Mapping[str, Any], bars: pd.DataFrame) -> str:
    """What is seen, for those who cannot see it: how many figures agree, and which is furthest from ours."""
    pairs = bars.dropna(subset="ours")
    counts = ", ".join(f"{number} {outcome}" for outcome, number in Counter(pairs["outcome"]).items())
    columns = ", ".join(bars["column"].unique())
    start = f"Pairs of bars, the printed figure above ours, {table['caption']}, columns {columns}"
    if pairs.empty:
        return f"{start}: none was run here"
    apart = pairs["difference"].abs() / (pairs["high"] - pairs["low"])
    most = pairs.loc[apart.idxmax()]
    theirs, ours = (show(most[one], table["digits"]) for one in ("theirs", "ours"))
    return f"{start}: {counts}; furthest apart {most['row']}, {most['column']}: {theirs} printed, {ours} here"


def caption(bars: pd.DataFrame) -> str:
    """How to read the bars of a table."""
    text = f"A full bar is the largest figure of its {bars['by'].iloc[0]}"
    if bars["cut"].any():
        text += f", of those up to {FAR} times the median; longer bars are cut ({CUT})"
    if bars["outcome"].isin(JUDGED).any():
        text += ". A line at the end of a printed bar: the tolerance, where it is wide enough to be seen"
        if not bars["expected"].eq(bars["theirs"]).all():
            text += "; it is around what is expected of as many users as ours, see the notes below"
    return f"{text}."
