"""Groups of systems that no test tells apart."""

import numpy as np


def groups(separated: np.ndarray) -> list[tuple[int, ...]]:
    """Return every largest set of systems of which no two are separated.

    Two systems share a set exactly where they are not separated, so sets may overlap: a like b and b like c do not make
    a like c. A separated pair splits every set that holds both, and sets inside others go ("insert and absorb").

    separated : systems x systems, symmetric, true where a test tells the two apart.
    Each set is a sorted tuple of indices; sets are in the order of their members. No systems, no sets.

    Piepho 2004, doi:10.1198/1061860043515.
    """
    n = len(separated)
    found = {frozenset(range(n))} if n else set()
    for one, other in np.argwhere(np.triu(separated, 1)):
        parts = {part for whole in found for part in split(whole, one, other)}
        found = {part for part in parts if not any(part < larger for larger in parts)}
    return sorted(tuple(sorted(map(int, part))) for part in found)


def split(whole: frozenset[int], one: int, other: int) -> list[frozenset[int]]:
    """Return a set as it is, or without the one and without the other where it holds both."""
    return [whole - {one}, whole - {other}] if {one, other} <= whole else [whole]
