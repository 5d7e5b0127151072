"""Users in groups, whose sums are kept apart: what a bootstrap over users needs, and no more."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

GROUPS = 100
RESAMPLES = 100


@dataclass(frozen=True)
class Groups:
    """Contiguous groups of ``n_users`` users, as equally large as can be. starts : the first user of each.

    A bootstrap of the groups has the variance of one over users, since users are independent of each other, as far as
    that many groups can tell.
    """

    n_users: int
    starts: np.ndarray

    @classmethod
    def of(cls, n_users: int, most: int = GROUPS) -> "Groups":
        n_groups = max(min(most, n_users), 1)
        return cls(n_users, np.arange(n_groups) * n_users // n_groups)

    @cached_property
    def sizes(self) -> np.ndarray:
        return np.diff(self.starts, append=self.n_users)

    @cached_property
    def of_user(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.starts)), self.sizes)

    def within(self, users: slice) -> tuple["Groups", int]:
        """Return the groups, or parts of them, that some of the users are in, and the number of the first."""
        first, end = np.searchsorted(self.starts, [users.start, max(users.stop - 1, users.start)], side="right")
        starts = np.maximum(self.starts[max(first - 1, 0) : end] - users.start, 0)
        return Groups(users.stop - users.start, starts), int(max(first - 1, 0))

    def resamples(self, rng: np.random.Generator, n: int = RESAMPLES) -> np.ndarray:
        """Return how often each group is in each bootstrap resample, groups x resamples."""
        chance = np.full(len(self.starts), 1 / len(self.starts))
        return rng.multinomial(len(self.starts), chance, size=n).T.astype(float)
