"""Show the same thing for every part of a study."""

from collections.abc import Callable

from truerank.report.block import Block, Blocks, Heading, Prose
from truerank.report.study import OpenStudy, Part


def each_part(study: OpenStudy, show: Callable[[Part], Block]) -> Block:
    """Apply ``show`` to every part; with more than one, each gets a heading."""
    if not study.parts:
        return Prose("This does not apply: the study selects no part that ranks items.")
    blocks: list[Block] = []
    for part in study.parts:
        if len(study.parts) > 1:
            blocks.append(Heading(f"{part.name.capitalize()} part, split “{part.split}”"))
        blocks.append(show(part))
    return Blocks(*blocks)


def table_name(part: Part, name: str) -> str:
    """Name a table after its part where the study has more than one, so that no two have the same name."""
    return f"{name}_{part.name}" if len(part.study.parts) > 1 else name
