"""Some of the users, ranked exactly."""

import numpy as np

from truerank.errors import UserError
from truerank.registry import SAMPLERS, Count


@SAMPLERS.register("users", needs="ranks", gives="users", takes="none")
def users(
    rank: np.ndarray, candidates: np.ndarray, rng: np.random.Generator, *, users: Count, repeats: Count = 100
) -> np.ndarray:
    """Choose instances without replacement, the same for all models; return them, repeats x users.

    candidates : per instance; only their number matters, and rank does not.

    Li et al. 2024, doi:10.1145/3629171, section 7.
    """
    if users > len(candidates):
        raise UserError(f"users is {users:,}, and there are {len(candidates):,} test instances; set it lower")
    return np.stack([rng.choice(len(candidates), users, replace=False, shuffle=False) for _ in range(repeats)])
