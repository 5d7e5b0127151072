"""Names of models that a small picture has room for, and that can still be told apart."""

import re
from collections import Counter
from collections.abc import Iterable

LONGEST = 26  # letters of a name
WORD = r"[^\W\d_]+"  # letters, no digits
LETTERS = range(8, 0, -1)  # of a word, tried in turn


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Return name -> what a picture shows of it: all its words, shortened alike, as their numbers tell it from others.

    Names that would become the same show their start and their end.
    """
    short = {name: shortened(name) for name in names}
    count = Counter(short.values())
    return {name: found if count[found] == 1 else both_ends(name) for name, found in short.items()}


def shortened(name: str) -> str:
    """Return a name of at most ``LONGEST`` letters, its words shortened no more than needed."""
    if len(name) <= LONGEST:
        return name
    for letters in LETTERS:
        found = re.sub(rf"({WORD[:-1]}{{{letters}}}){WORD}", r"\1", name)
        if len(found) <= LONGEST:
            return found
    return both_ends(name)


def both_ends(name: str) -> str:
    half = (LONGEST - 1) // 2
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1 - half]}…{name[-half:]}"
