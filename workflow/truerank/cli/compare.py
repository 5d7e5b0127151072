"""Whether models differ that were measured on samples of users."""

import argparse
from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from truerank.cli.checks import check_between, percent
from truerank.cli_input import named, read_values
from truerank.errors import UserError
from truerank.estimators._core.user_sampling import (
    are_hits,
    bonferroni,
    difference_interval,
    has_spread,
    t_test,
    z_test,
)

LEAST_P = 1e-300  # smaller ones are no longer told from 0


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield one line per pair: the difference of means, its interval, and p-values, for all pairs at once."""
    check_between("confidence", choices.confidence, 0, 1)
    users = {path: read_values(path) for path in choices.values}
    if len(users) < 2:
        told = f"{named(choices.values[0])} is the only file, expected two or more"
        raise UserError(f"{told}; add those to compare it with")
    pairs = list(combinations(users, 2))
    for pair in pairs:
        check_spread({path: users[path] for path in pair})
    yield f"{percent(choices.confidence)} intervals and p-values, for {len(pairs)} pair(s) at once (Bonferroni)"
    for pair in pairs:
        one, other = (users[path] for path in pair)
        mean, low, high = difference_interval(one, other, choices.confidence, len(pairs))
        tests: dict[str, ArrayLike] = {"t": t_test(one, other)[1]}
        if are_hits(one, other):
            tests["z"] = z_test(one.sum(), other.sum(), len(one), len(other))[1]
        told = "  ".join(f"{name}: p {p_value(float(bonferroni(p, len(pairs))))}" for name, p in tests.items())
        yield f"{' - '.join(map(named, pair))}  {mean:.4f}  [{low:.4f}, {high:.4f}]  {told}"


def check_spread(samples: Mapping[str, np.ndarray]) -> None:
    """Refuse a sample of one value again and again, unless bounds of the metric stand in for the spread it lacks."""
    bounded = all(values.min() >= 0 and values.max() <= 1 for values in samples.values())
    for path, values in samples.items():
        if not bounded and not has_spread(values):
            raise UserError(
                f"{named(path)} has the value {values[0]:g} for all {len(values):,} users, expected values that "
                "differ, since only a metric between 0 and 1 has an interval without; measure more users"
            )


def p_value(p: float) -> str:
    return f"= {p:.3g}" if p >= LEAST_P else f"< {LEAST_P:g}"
