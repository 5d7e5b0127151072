"""A paper's first screen in one picture: every printed figure as a square, every finding as a line."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from truerank.report.canvas import PAD
from truerank.report.compared import AGREES, JUDGED, SIGNS, UNLIKE, tables_of
from truerank.report.figure import Figure
from truerank.report.findings import CANNOT, NOT_AT_ALL, PARTLY, REPRODUCED, SO_FAR, checked_findings
from truerank.report.published import Paper
from truerank.report.text_width import text_width, wrapped
from truerank.report.theme import GREY, INK, STYLES, Style, panel

WIDTH, HIGHEST = 4.2, 3.9  # inches of each half
WRITING = 72 * WIDTH - 2 * PAD  # points that a half has for drawing
SIDES = range(14, 2, -1)  # points of a square: the largest for which all tables have room
TITLE, GAP, NAME = 8.5, 6, 8  # points: letters of a table's name, between tables, letters of a row's name
LINE, MOST = 11, 24  # points of a line and number of findings
LINES = 2  # of one finding
SIGN = 12  # points of a finding's sign
LONGEST = 24  # letters of a table's name
ON_COLOUR = "#ffffff"

SHADES = (*(STYLES[number].colour for number in (0, 1, 6, 7)), GREY)
LOOKS = {outcome: Style(shade, "s", "■") for outcome, shade in zip([*JUDGED, UNLIKE], SHADES, strict=True)}
COLOURS = {
    REPRODUCED: STYLES[0].colour,
    SO_FAR: STYLES[0].colour,
    PARTLY: STYLES[6].colour,
    NOT_AT_ALL: STYLES[1].colour,
    CANNOT: GREY,
}


class Block(NamedTuple):
    """The squares of one table: its name, and row -> outcome of each of its figures."""

    name: str
    rows: dict[str, list[str]]

    @property
    def apart(self) -> list[str]:
        """The rows in which a judged figure does not agree."""
        wrong = set(JUDGED) - {AGREES}
        return [row for row, outcomes in self.rows.items() if wrong & set(outcomes)]

    def size(self, side: float) -> tuple[float, float]:
        """Width and height in points, for squares of a side in points."""
        longest = max((3 + text_width(row, NAME) for row in self.apart), default=0)
        squares = side * max(map(len, self.rows.values())) + longest
        return max(squares, text_width(self.name, TITLE)), 1.4 * TITLE + side * len(self.rows)


def agreement_figure(paper: Paper) -> Figure | None:
    """Squares of all printed figures that were run, in the shape of their tables, and the findings as lines."""
    blocks = list(blocks_of(paper))
    findings = checked_findings(paper)
    panels, legend = {}, {}
    if blocks:
        count = Counter(outcome for block in blocks for row in block.rows.values() for outcome in row)
        panels[f"Squares, one per printed figure: {in_words(count)}"] = mosaic(blocks)
        legend = {f"{outcome}: {count[outcome]}": look for outcome, look in LOOKS.items() if count[outcome]}
    if findings:
        outcomes = [outcome for _, found in findings for outcome in found.values()]
        sentence = in_words(Counter(outcome.partition(" ")[2] for outcome in outcomes))
        panels[f"Lines, one per finding, one sign per dataset: {sentence}"] = listed(findings)
    caption = (
        "Left: a square is a printed figure, in the order of its table; rows in which one differs are named. "
        "Right: the paper’s findings on each dataset, ✓ reproduced (or as far as checked), ◐ partly, ✗ not, – cannot "
        "be checked."
    )
    return Figure("agreement_with_paper", panels, caption, legend, wide=True) if panels else None


def in_words(count: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {outcome}" for outcome, number in count.items())


def blocks_of(paper: Paper) -> Iterable[Block]:
    """The tables with at least one figure of this study; rows without any are left out."""
    names = Counter(short_name(table) for table in paper.content.get("tables", ()))
    for table, ours, frame in tables_of(paper):
        shown = frame[frame["outcome"].isin(list(LOOKS))]
        rows = {row: list(shown.loc[shown["row"] == row, "outcome"]) for row in shown["row"].unique()}
        if rows:
            several = len(paper.ours) > 1 and frame["dataset"].nunique() == 1
            name = short_name(table, 1 + (names[short_name(table)] > 1))
            yield Block(name + (f", {ours.dataset}" if several else ""), rows)


def short_name(table: Mapping[str, Any], parts: int = 1) -> str:
    """What stands before the first comma of a caption, Table 3, or the start of more of its parts."""
    name = ",".join(str(table["caption"]).split(",")[:parts])
    return name if parts == 1 or len(name) <= LONGEST else f"{name[: LONGEST - 1].rstrip()}…"


def mosaic(blocks: list[Block]) -> Axes:
    """All tables as squares, side by side where there is room."""
    width, highest = WRITING, 72 * HIGHEST - 2 * PAD
    side = next((side for side in SIDES if placed(blocks, side, width)[1] <= highest), SIDES[-1])
    places, height = placed(blocks, side, width)
    with panel("", height=(height + 2 * PAD) / 72, width=WIDTH) as axes:
        for block, (x, y) in zip(blocks, places, strict=True):
            axes.text(x, y, block.name, fontsize=TITLE, va="top", color=INK)
            draw_block(axes, block, x, y + 1.4 * TITLE, side)
        blank(axes, width, height)
    return axes


def placed(blocks: list[Block], side: float, width: float) -> tuple[list[tuple[float, float]], float]:
    """Return the upper left corner of every table, from left to right in lines of ``width``, and the height of all."""
    places, x, y, lowest = [], 0.0, 0.0, 0.0
    for block in blocks:
        wide, high = block.size(side)
        if x > 0 and x + wide > width:
            x, y = 0.0, lowest + GAP
        places.append((x, y))
        x, lowest = x + wide + 2 * GAP, max(lowest, y + high)
    return places, lowest


def draw_block(axes: Axes, block: Block, x: float, y: float, side: float) -> None:
    squares: dict[str, list[Rectangle]] = {}
    for place, (row, outcomes) in enumerate(block.rows.items()):
        top = y + side * place
        for column, outcome in enumerate(outcomes):
            squares.setdefault(outcome, []).append(Rectangle((x + side * column, top), 0.86 * side, 0.86 * side))
            if outcome in JUDGED and outcome != AGREES and side >= NAME:
                middle = 0.43 * side
                sign, left = SIGNS[outcome][0], x + side * column
                axes.text(
                    left + middle, top + middle, sign, ha="center", va="center", fontsize=0.7 * side, color=ON_COLOUR
                )
        if row in block.apart and side >= NAME:
            axes.text(x + side * len(outcomes) + 3, top + 0.43 * side, row, fontsize=NAME, va="center", color=INK)
    for outcome, drawn in squares.items():
        axes.add_collection(PatchCollection(drawn, facecolor=LOOKS[outcome].colour, linewidth=0, label=outcome))


def listed(findings: list[tuple[str, dict[str, str]]]) -> Axes:
    """A line per finding with a sign per dataset; of many, only those that are not fully reproduced.

    findings : the words, and dataset -> outcome.
    """
    apart = [finding for finding in findings if set(finding[1].values()) != {REPRODUCED}]
    shown = [*findings] if len(findings) <= MOST else apart[:MOST]
    datasets = list(dict.fromkeys(dataset for _, outcomes in findings for dataset in outcomes))
    left = SIGN * len(datasets) + 4
    notes = [(outcomes, wrapped(says, WRITING - left, NAME, LINES)) for says, outcomes in shown]
    if len(shown) < len(findings):
        notes.append(({}, [f"and {len(findings) - len(shown)} more, below"]))
    head = max(text_width(dataset, NAME) for dataset in datasets) + 8 if len(datasets) > 1 else 0.0
    height = head + sum(LINE * len(lines) + 2 for _, lines in notes)
    with panel("", height=(height + 2 * PAD) / 72, width=WIDTH) as axes:
        for place, dataset in enumerate(datasets if head else ()):
            axes.text(SIGN * place, head - 4, dataset, fontsize=NAME, rotation=90, va="bottom", color=INK)
        y = head
        for outcomes, lines in notes:
            for dataset, outcome in outcomes.items():
                x, colour = SIGN * datasets.index(dataset), COLOURS[outcome]
                axes.text(x, y + LINE / 2, outcome[0], fontsize=NAME + 2, va="center", color=colour)
            for line in lines:
                axes.text(left, y + LINE / 2, line, fontsize=NAME, va="center", color=INK)
                y += LINE
            y += 2
        blank(axes, WRITING, height)
    return axes


def blank(axes: Axes, width: float, height: float) -> None:
    """Make the coordinates points from the upper left corner, without ticks and frame."""
    axes.set(xlim=(0, width), ylim=(height, 0), xticks=[], yticks=[])
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)
    wide, high = width + 2 * PAD, height + 2 * PAD  # of the canvas; in smaller axes text seems to need more room
    axes.set_position((PAD / wide, PAD / high, width / wide, height / high))
