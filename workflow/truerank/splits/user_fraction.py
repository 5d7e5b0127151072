"""Hold out a share of every user's rows at random."""

import numpy as np

from truerank.registry import SPLITS, Count, Share
from truerank.splits._core.rows import Cut, Rows, all_kept, first_of_each, one_row_each

ROUNDING = 1e-9  # 0.29 x 50 is 14.5, not 14.499999999999998


@SPLITS.register("user_fraction", random=True, by_user=True)
def user_fraction(rows: Rows, rng: np.random.Generator, *, test: Share, min_interactions: Count = 2) -> Cut:
    r"""Hold out a random share of each user's rows.

    .. math:: n_u^{test} = \min(\lfloor f\, n_u + \tfrac12 \rfloor,\; n_u - 1)

    with f the setting ``test``: halves are rounded up, and one row at least stays in training. A user with
    fewer rows than ``min_interactions`` keeps them all in training.
    """
    n = rows.per_user
    n_test = np.minimum(np.floor(test * n + 0.5 + ROUNDING), n - 1)
    n_test = np.where(n >= min_interactions, n_test, 0)
    return all_kept(first_of_each(rows.user, n_test, rows.lots(rng)), why_none(rows, test, min_interactions))


def why_none(rows: Rows, test: float, min_interactions: int) -> str:
    longest = int(rows.per_user.max())
    if longest == 1:
        return one_row_each(rows)
    if longest < min_interactions:
        return f"no user has more than {longest:,} rows, and min_interactions is {min_interactions:,}; lower it"
    return f"no user has more than {longest:,} rows, and {test:g} of these rounds to 0; raise test"
