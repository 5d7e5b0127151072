"""Names beside points and lines, where they cover least: room is used, and no legend is needed."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from truerank.report.theme import GREY, INK

LETTER, BOLD, LINE = 0.58, 0.68, 1.25  # the width of a letter and the height of a line, of the font's size
REACH = (5, 12, 22, 34)  # points between a name and what it names
LARGE = (8, 13, 22, 34)  # the same where it has a large marker
DIRECTIONS = ((1, 0), (1, 1), (1, -1), (-1, 0), (-1, 1), (-1, -1), (0, 1), (0, -1))
NO_LEADER = 8


Box = tuple[float, float, float, float]  # left, right, low, high, in points


class Label(NamedTuple):
    """A name, and the point in data coordinates that it belongs to."""

    text: str
    x: float
    y: float
    bold: bool = False


def name_points(axes: Axes, labels: Sequence[Label], others: np.ndarray, size: float = 8) -> None:
    """Write names beside their points, the first ones first, where they cover no name, few points and no edge.

    others : points x 2, all that is drawn. The limits of the axes must be final.
    """
    width, height = in_points(axes)
    dots = scaled(axes, others, width, height)
    taken: list[Box] = []
    for label in labels:
        (x, y) = scaled(axes, np.array([[label.x, label.y]]), width, height)[0]
        box, reach, (dx, dy) = min(
            (
                (box_beside(x, y, label, size, reach, direction), reach, direction)
                for reach in (LARGE if label.bold else REACH)
                for direction in DIRECTIONS
            ),
            key=lambda placed: cost(placed[0], placed[1], dots, taken, width, height),
        )
        taken.append(box)
        note = axes.annotate(
            label.text,
            (label.x, label.y),
            (dx * reach, dy * reach),
            textcoords="offset points",
            fontsize=size,
            color=INK,
            fontweight="bold" if label.bold else "normal",
            ha={1: "left", 0: "center", -1: "right"}[dx],
            va={1: "bottom", 0: "center", -1: "top"}[dy],
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 2}
            if reach > NO_LEADER
            else None,
        )
        note.set_in_layout(False)


def in_points(axes: Axes) -> tuple[float, float]:
    """Return the room of the axes, about: the canvas less what tick labels take."""
    width, height = 72 * axes.figure.get_size_inches()  # type: ignore[union-attr]  # axes of a canvas
    return width - 56, height - 47


def scaled(axes: Axes, points: np.ndarray, width: float, height: float) -> np.ndarray:
    """Return data coordinates as points from the lower left corner."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    return np.column_stack(
        [(points[:, 0] - left) / (right - left) * width, (points[:, 1] - low) / (high - low) * height]
    )


def box_beside(x: float, y: float, label: Label, size: float, reach: float, direction: tuple[int, int]) -> Box:
    """Return left, right, low and high of a name that is put ``reach`` away in a direction."""
    (dx, dy), height = direction, LINE * size
    width = (BOLD if label.bold else LETTER) * size * len(label.text)
    left = x + dx * reach - {1: 0, 0: width / 2, -1: width}[dx]
    low = y + dy * reach - {1: 0, 0: height / 2, -1: height}[dy]
    return left, left + width, low, low + height


def cost(
    box: Box,
    reach: float,
    dots: np.ndarray,
    taken: Sequence[Box],
    width: float,
    height: float,
) -> float:
    """Return how bad a place is: over the edge worst, then over names, over points, and far away."""
    left, right, low, high = box
    beyond = max(0, -left) + max(0, right - width) + max(0, -low) + max(0, high - height)
    names = sum(
        max(0, min(right, other[1]) - max(left, other[0])) * max(0, min(high, other[3]) - max(low, other[2]))
        for other in taken
    )
    covered = ((dots > [left - 2, low - 2]) & (dots < [right + 2, high + 2])).all(axis=1).sum()
    return 100 * beyond + 20 * names + 6 * covered + 0.4 * reach


def spread(places: Sequence[float], least: float) -> np.ndarray:
    """Return places as near as can be to those wanted, in the same order, none nearer to the next than ``least``."""
    order = np.argsort(places, kind="stable")
    wanted = np.asarray(places, float)[order] - least * np.arange(len(places))
    pooled: list[tuple[float, int]] = []
    for value in wanted:
        mean, count = float(value), 1
        while pooled and pooled[-1][0] > mean:
            before, n = pooled.pop()
            mean, count = (before * n + mean * count) / (n + count), n + count
        pooled.append((mean, count))
    fitted = np.repeat([mean for mean, _ in pooled], [count for _, count in pooled])
    found = np.empty(len(places))
    found[order] = fitted + least * np.arange(len(places))
    return found
