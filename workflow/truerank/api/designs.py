"""How the ranks that somebody gives were sampled."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from truerank.api.checks import check_between, check_count, check_design
from truerank.api.ranks import NEGATIVES, SampledRanks, sampled_ranks
from truerank.bounding.designs import Adaptive, Uniform, Weighted
from truerank.bounding.successive import Successive
from truerank.cli_input import read_values
from truerank.errors import UserError

MOST_POWER = 100
Sampled = Uniform | Adaptive | Weighted | Successive


def design_of(items: Any, negatives: Any, replace: bool, popularity: Any = None, power: float = 1.0) -> Sampled:
    """Return the design: uniform draws, adaptive sets where ``negatives`` are several, or draws by popularity."""
    if isinstance(negatives, Sequence | np.ndarray) and not isinstance(negatives, str):
        sizes = tuple(check_count("negatives", size, 1, 10**9) for size in negatives)
        if list(sizes) != sorted(set(sizes)) or not sizes:
            raise UserError(f"negatives is {list(sizes)}, expected increasing sizes of adaptive sets; correct it")
        items, _ = check_design(items, sizes[-1])
        return Adaptive(items, sizes, replace)
    items, negatives = check_design(items, negatives)
    if popularity is None:
        return Uniform(items, negatives, replace)
    return weighted(items, negatives, popularity, power, replace)


def weighted(items: int, negatives: int, popularity: Any, power: float, replace: bool) -> Weighted | Successive:
    """Return draws by popularity to a power from any ``items`` of all items, whichever a user's candidates are."""
    check_between("power", power, -1e-9, MOST_POWER)
    counts = np.asarray(read_values(str(popularity)) if isinstance(popularity, str | Path) else popularity, float)
    if counts.ndim != 1 or len(counts) < items:
        raise UserError(
            f"popularity has {counts.size:,} values, expected one for each item, {items:,} at least; add them"
        )
    if not (np.isfinite(counts) & (counts >= 0)).all() or not counts.sum():
        raise UserError("popularity has negative or missing values, or is 0 everywhere, expected counts; correct it")
    chances = counts**power / (counts**power).sum()
    rising = np.sort(chances)
    kept = float(rising[: items - 1].sum()), float(rising[len(rising) - items + 1 :].sum())
    if not kept[0]:
        raise UserError(f"popularity is 0 for {items - 1:,} items, which can then never be drawn; lower items")
    return (Weighted if replace else Successive)(chances, negatives, kept, items)


def ranks_seen(given: Any, design: Sampled, users: Any) -> SampledRanks:
    """Return ranks as outcomes of the design, counted from 1."""
    if not isinstance(design, Adaptive):
        return sampled_ranks(given, design.negatives, users)
    seen = sampled_ranks(given, design.sizes[-1], users)
    if seen.negatives is None:
        raise UserError(f"negatives are several, and the ranks have no column {NEGATIVES}; add the size of each set")
    sizes, ranks = design.outcomes
    place = {pair: number for number, pair in enumerate(zip(sizes.tolist(), ranks.tolist(), strict=True), 1)}
    found = [place.get(pair, 0) for pair in zip(seen.negatives.tolist(), seen.rank.tolist(), strict=True)]
    if not all(found):
        row = found.index(0)
        raise UserError(
            f"rank number {row + 1} is {seen.rank[row]} among {seen.negatives[row]} negatives, which adaptive sets of "
            f"{', '.join(map(str, design.sizes))} do not end with; correct it or negatives"
        )
    return SampledRanks(np.array(found), seen.user)
