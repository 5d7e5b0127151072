r"""Is the difference of two systems more than chance? The paired sign-flip test, all pairs and metrics at once.

Under the null hypothesis a user's two scores are exchangeable, so each user's difference may change its sign. Flipping
the scores of a *system* instead of those of a pair, with the same signs for all, gives every pair's flipped difference
as that of two columns: one product, signs (draws x users) times scores (users x columns), serves all pairs.

The sign of a user in a draw is a hash of the key, the user and the draw, so a p-value depends on nothing else: not on
the number of cores, on the order of users, or on which other systems and metrics are tested.

Sums are of whole numbers, hence exact, whatever the order of users; see ``flips``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from truerank.meta.flips import Flips, InMemory, Observed, pairs_of
from truerank.ranking.order import order_key

UNDEFINED_USERS = ("zero", "drop")


@dataclass(frozen=True)
class Comparison:
    """What the test says of every pair of systems under one metric.

    left, right : the systems of each pair, as columns. difference : of their means. p_value : never 0. p_holm :
    adjusted for all pairs under this metric.
    """

    left: np.ndarray
    right: np.ndarray
    difference: np.ndarray
    p_value: np.ndarray

    @property
    def p_holm(self) -> np.ndarray:
        return holm(self.p_value)

    @property
    def power(self) -> float:
        """Discriminative power: the sum of the p-values over unordered pairs; less is better."""
        return self.p_value.sum()


def compare(
    scores: Iterable[ArrayLike],
    rng: np.random.Generator,
    draws: int = 100_000,
    users: ArrayLike | None = None,
    undefined_users: str | Iterable[str] = "zero",
    threads: int = 1,
) -> list[Comparison]:
    r"""Test every pair of systems under every metric; return one Comparison per metric.

    .. math:: p = \frac{1 + \#\{\text{draws} : |\sum_u s_u d_u| \ge |\sum_u d_u|\}}{1 + \text{draws}}

    d is a user's difference and s a sign, +1 or -1 with equal chance. scores : arrays, users x systems, one per metric;
    NaN is undefined, and counts as 0 (``zero``) or removes the user from the pairs concerned (``drop``);
    ``undefined_users`` is one of these, or one for each metric.
    users : integer codes, which decide the users' signs; their place if not given.
    A draw as extreme as the observed difference counts, also where rounding has parted the two: up to 8 units in the
    last place of each score, and the whole numbers that ``flips`` rounds to.

    Valcarce et al. 2018, doi:10.1145/3240323.3240347; Holm 1979 for ``p_holm``.
    """
    tables = [np.asarray(table) for table in scores]
    if not tables:
        return []
    users = np.arange(len(tables[0]) if tables[0].ndim else 0) if users is None else np.asarray(users)
    policies = [undefined_users] * len(tables) if isinstance(undefined_users, str) else list(undefined_users)
    check_arguments(tables, users, draws, policies)
    flips = Flips(InMemory(tables, users), policies)
    extreme, observed = flips.count(order_key(rng), slice(0, draws), threads)
    return comparisons(flips, observed, extreme, draws, [table.shape[1] for table in tables])


def comparisons(
    flips: Flips, observed: Observed, extreme: np.ndarray, draws: int, n_systems: Sequence[int]
) -> list[Comparison]:
    """Return one Comparison per metric. extreme : how many draws are, per pair of all metrics in a row."""
    with np.errstate(invalid="ignore"):
        difference = observed.sums / observed.n_users
    both = zip(n_systems, flips.apart(difference), flips.apart((1 + extreme) / (1 + draws)), strict=True)
    return [Comparison(*pairs_of(n), *own) for n, *own in both]


def check_arguments(tables: Sequence[np.ndarray], users: np.ndarray, draws: int, policies: Sequence[str]) -> None:
    """Raise what a caller of ``compare`` can mend."""
    for policy in policies:
        if policy not in UNDEFINED_USERS:
            raise ValueError(f"undefined_users is {policy!r}, expected one of: {', '.join(UNDEFINED_USERS)}")
    if len(policies) != len(tables):
        raise ValueError(f"undefined_users has {len(policies)} entries, expected one, or one for each table")
    if not isinstance(draws, Integral) or draws < 1:
        raise ValueError(f"draws is {draws!r}, expected a whole number of at least 1")
    for place, table in enumerate(tables):
        if table.ndim != 2:
            raise ValueError(f"table {place} has {table.ndim} axes, expected users x systems; give a list of tables")
        if len(table) != len(users):
            raise ValueError(f"table {place} has {len(table)} users, expected {len(users)}; give all the same users")


def holm(p_values: ArrayLike) -> np.ndarray:
    """Adjust p-values for their number, step down: the smallest times n, the next times n - 1, never descending."""
    p_values = np.asarray(p_values)
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1)), 1)
    return adjusted
