"""Hold out everything after one moment."""

from typing import Annotated

import numpy as np

from truerank.errors import UserError
from truerank.registry import SPLITS, Share
from truerank.splits._core.rows import Cut, Rows, check_times

Seconds = Annotated[int, {}]


@SPLITS.register("global_time", by_user=True)
def global_time(rows: Rows, rng: np.random.Generator, *, quantile: Share = None, after: Seconds = None) -> Cut:
    r"""Hold out the rows later than a moment: ``after``, or the ``quantile`` of all known timestamps.

    .. math:: test = \{ t > c \}, \qquad c = t_{(\lfloor q (n-1) \rfloor + 1)}

    Rows of that very moment and rows without a timestamp stay in training. A user with no row in training
    cannot be recommended to from it: such users' rows are dropped. No timestamps at all: an error.
    """
    if (quantile is None) == (after is None):
        raise UserError("the split global_time needs `quantile` or `after`, one of the two; correct the config")
    check_times(rows, "global_time")
    cut = after if quantile is None else rows.moments.quantile(quantile)
    late = rows.timestamp > cut
    trained = np.zeros(rows.user.max() + 1, dtype=bool)
    trained[rows.user[~late]] = True
    warm = trained[rows.user]
    return Cut(late & warm, late & ~warm, why_none(rows, late, cut))  # type: ignore[arg-type]  # one of the two is given


def why_none(rows: Rows, late: np.ndarray, cut: float) -> str:
    if not late.any():
        return f"no row is later than {cut:.0f} and the last is of {rows.timestamp.max()}; choose an earlier moment"
    n_users = len(np.unique(rows.user[late]))
    return (
        f"the {late.sum():,} rows later than {cut:.0f} are of {n_users:,} users without an earlier row, who cannot be "
        "recommended to; choose another moment, or the split leave_last_out"
    )
