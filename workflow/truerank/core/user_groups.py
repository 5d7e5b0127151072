"""For whom a result holds: users by activity and attributes, test items by popularity."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from truerank.core.comparing import PAIRS, Scores, compare_paired
from truerank.provenance import generator

VALUES = ["by", "group", "users", "model", "metric", "k", "value", "ci_low", "ci_high"]
DIFFERENCES = ["by", "group", *PAIRS[:-1]]
BANDS = 3
MOST_LEVELS = 8
FEWEST_USERS = 20  # of a group that is shown
DRAWS = 10_000


@dataclass(frozen=True)
class Grouping:
    """Users, or test rows, in groups. group : number of each one's group, -1 for none. labels : of the groups."""

    by: str
    group: np.ndarray
    labels: list[str]


def bands(by: str, values: np.ndarray, n: int = BANDS) -> Grouping:
    """Return groups of about equal size by a number, labelled with what they go up to; NaN is in none.

    Equal numbers are in one group, so there may be fewer groups than ``n``; one where all are equal.
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return Grouping(by, np.full(len(values), -1), [])
    edges = np.unique(np.quantile(known, np.arange(1, n) / n, method="lower"))
    edges = edges[edges < known.max()]
    group = np.where(np.isnan(values), -1, np.searchsorted(edges, values))
    inner = [f"more than {low:g}, up to {high:g}" for low, high in pairwise(edges)]
    ends = [f"up to {edges[0]:g}", *inner, f"more than {edges[-1]:g}"] if len(edges) else ["all"]
    return Grouping(by, group, ends)


def levels(by: str, values: np.ndarray) -> Grouping | None:
    """Return groups by a text; None where there is one text, or more than a page can show. Missing is in none."""
    texts = sorted({str(value) for value in values if value is not None})
    if not 2 <= len(texts) <= MOST_LEVELS:
        return None
    place = {text: number for number, text in enumerate(texts)}
    return Grouping(by, np.array([-1 if value is None else place[str(value)] for value in values]), texts)


def groupings(activity: np.ndarray, attributes: Mapping[str, np.ndarray]) -> Iterator[Grouping]:
    """Yield the groups of users: by their training rows, then by each attribute that has few enough values."""
    yield bands("training rows of the user", activity.astype(float))
    for name, values in attributes.items():
        found = bands(name, values) if values.dtype.kind == "f" else levels(name, values)
        if found is not None and len(found.labels) > 1:
            yield found


def group_rows(
    models: Sequence[str], scores: Scores, by: str, label: str, seed: int, names: tuple[str, ...]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the values of all models in one group, and their differences, columns VALUES and DIFFERENCES.

    scores : of the group's users. p is that of a sign-flip test, adjusted for the pairs of the group alone.
    """
    rng = generator(seed, "measure_groups", *names, by, label)
    found = compare_paired(models, [scores], rng, draws=DRAWS)
    own = {"by": by, "group": label}
    values = found.summary.assign(**own, users=len(scores.values))
    return values[VALUES], found.pairs.assign(**own)[DIFFERENCES]
