"""Hold out every user's last rows in time."""

import numpy as np

from truerank.registry import SPLITS, Count
from truerank.splits._core.rows import Cut, Rows, all_kept, check_times, first_of_each, one_row_each


@SPLITS.register("leave_last_out", by_user=True)
def leave_last_out(rows: Rows, rng: np.random.Generator, *, last: Count = 1) -> Cut:
    r"""Hold out each user's most recent rows: ``last`` of them, at most :math:`n_u - 1`.

    A row without a timestamp counts as older than any with one, and rows of the same time are put in a random
    order. A user with one row keeps it in training. No timestamps at all: an error.
    """
    check_times(rows, "leave_last_out")
    n_test = np.minimum(last, rows.per_user - 1)
    marked = first_of_each(rows.user, n_test, -rows.timestamp, rows.lots(rng))
    return all_kept(marked, one_row_each(rows))
