"""What a printed error is expected to be with another number of users than the paper had."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from truerank.report.published import FACTS, Ours


class Expected(NamedTuple):
    """How many times the printed figure is expected here, and why if it is another one."""

    times: float = 1.0
    why: str | None = None


def expected(ours: Ours, key: Mapping[str, Any]) -> Expected:
    """Return what the key ``expected`` of a table or column makes of a printed figure for a dataset of ours.

    key : ``users``, dataset -> the users of the paper's data; and ``sampled``, how many of them an error is of, all if
    it is absent.
    """
    theirs, sampled = key.get("users", {}).get(ours.dataset), key.get("sampled")
    n_users = math.nan if theirs is None else ours.figure(FACTS, "users", {})
    if math.isnan(n_users) or n_users == theirs:
        return Expected()
    times = times_as_large(theirs, round(n_users), sampled)
    start = f"judged against {times:.3f} times the printed figure:"
    if sampled:
        return Expected(times, f"{start} {sampled:,} users are drawn of {n_users:,.0f}, and there of {theirs:,}")
    return Expected(times, f"{start} the error of fewer users is larger, {n_users:,.0f} here and {theirs:,} there")


def times_as_large(theirs: int, ours: int, sampled: int | None = None) -> float:
    r"""Return the ratio of two errors, of our number of users M' and theirs, M.

    .. math:: \sqrt{M / M'} \quad \text{or} \quad \sqrt{\frac{M' - n}{M' - 1} \cdot \frac{M - 1}{M - n}}

    The first is of a mean over all users, for each of whom items are sampled. The second is of a mean over n users,
    ``sampled`` without replacement, as a part of the mean over all; it is 0 where n are all of ours.

    Cochran 1977, chapter 2.
    """
    if sampled is None:
        return math.sqrt(theirs / ours)
    return math.sqrt((ours - sampled) / (ours - 1) * (theirs - 1) / (theirs - sampled))
