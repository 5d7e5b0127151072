"""Show the same thing for every part of a study."""

from collections.abc import Callable

from truerank.report.block import Block, Blocks, Folded, Heading, Prose
from truerank.report.study import OpenStudy, Part


def each_part(study: OpenStudy, show: Callable[[Part], Block]) -> Block:
    """Apply ``show`` to every part; with more than one, each has its name, and all but the first open on demand."""
    if not study.parts:
        return Prose("This does not apply: the study selects no part that ranks items.")
    first, *others = study.parts
    blocks = [Heading(in_words(first)), show(first)] if others else [show(first)]
    return Blocks(*blocks, *(Folded(f"The same for the {in_words(part).lower()}", show(part)) for part in others))


def in_words(part: Part) -> str:
    return f"{part.name.capitalize()} part, split “{part.split}”"


def table_name(part: Part, name: str) -> str:
    """Name a table after its part where the study has more than one, so that no two have the same name."""
    return f"{name}_{part.name}" if len(part.study.parts) > 1 else name
