"""How wide a text is, and where it breaks into lines that fit."""

import textwrap
from functools import cache

from matplotlib.textpath import TextPath

from truerank.report.theme import theme

NARROW = 0.4  # letters are wider on average, of the font's size: where a search for a line's length starts


@cache
def text_width(text: str, size: float) -> float:
    """Return the width of a line in points, for letters of a size in points, as our look draws it."""
    with theme():  # which takes no text as mathematics
        return float(TextPath((0, 0), text, size=size).get_extents().x1) if text.strip() else 0.0


def wrapped(text: str, width: float, size: float, lines: int) -> list[str]:
    """Return text in at most so many lines of a width in points; what is too long ends with an ellipsis.

    A word that is wider than a line is broken.
    """
    letters = max(4, min(len(text), int(width / (NARROW * size))))
    while True:
        found = textwrap.wrap(text, letters, max_lines=lines, placeholder="…")
        if letters == 4 or all(text_width(line, size) <= width for line in found):
            return found
        letters -= 1
