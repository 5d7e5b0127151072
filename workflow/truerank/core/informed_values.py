"""Metrics of test items whose ranks are known, possible, or likely by some law."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from truerank.artefacts.rank_table import Judgements
from truerank.core.evaluation import evaluate_by_rule
from truerank.informed.ranks import known_ranks, tests_ahead
from truerank.informed.search import Search, ragged
from truerank.provenance import generator
from truerank.registry import Cutoff, Definition, Definitions

IMPUTED = 20  # ranks drawn for a user with several test items
ROWS = ("user", "rank", "candidates", "rating", "prediction", "mean_rating")


@dataclass(frozen=True)
class Rules:
    """What is asked of an evaluation. columns : the metrics, ``metric@k``. n_places : K, the largest cut-off. budget :
    mean scores per user, test items included; without effect if ``exact``. audit : the share of it that makes the
    estimate unbiased. seed : of all that is drawn."""

    metrics: Definitions
    cutoffs: Collection[Cutoff]
    columns: list[str]
    relevance: Definition
    n_places: int
    budget: float = 100.0
    exact: bool = False
    audit: float = 0.0
    seed: int = 1


def expected_values(
    search: Search, law: np.ndarray, judgements: Judgements, rules: Rules, together: bool
) -> tuple[list[str], np.ndarray]:
    """Return the columns' names and each user's expected metrics under the laws of its test items' ranks.

    With one test item that is a sum over ranks. Of several, ranks are drawn 20 times, spread evenly over their laws:
    from one uniform for all test items of a user (``together``), since who is ahead of the best is ahead of all, or
    from one each.
    """
    tests, k = search.tests, rules.n_places
    columns, values = values_at(judgements, known_ranks(search).least, rules)
    open_rows = np.flatnonzero(~search.decided)
    size = np.diff(tests.start)[open_rows]
    single, several = open_rows[size == 1], open_rows[size > 1]
    if len(single):
        row = tests.start[single]
        ranks = np.tile(np.arange(1, k + 1), len(single))
        found = values_of(judgements, np.repeat(row, k), np.repeat(np.arange(len(row)), k), ranks, rules, k)
        values[single] = np.einsum("uk,ukc->uc", law[row], found)
    if len(several):
        values[several] = imputed(search, law, judgements, rules, several, together)
    return columns, values


def imputed(
    search: Search, law: np.ndarray, judgements: Judgements, rules: Rules, rows: np.ndarray, together: bool
) -> np.ndarray:
    """Return the mean metrics of users over ranks drawn from the laws, in the known order of their test items."""
    tests = search.tests
    size = np.diff(tests.start)[rows]
    each = np.repeat(np.arange(len(rows)), size)
    test = ragged(tests.start[rows], size)
    known = np.argsort(each * (len(tests.row) + 1) + tests_ahead(search)[test], kind="stable")
    test = test[known]  # a user's first test item first
    rng = generator(rules.seed, "informed", "impute")
    offset = rng.random(len(rows))[each] if together else rng.random(len(each))
    reached = np.cumsum(law[test], axis=1)
    place = ragged(np.zeros(len(size), np.int64), size)
    found = []
    for number in range(IMPUTED):
        at = (offset + number / IMPUTED) % 1
        rank = 1 + (reached < at[:, None]).sum(axis=1)
        rank = rank[np.lexsort((rank, each))] - place  # ascending in a user, then different
        for step in range(1, int(size.max())):
            later = np.flatnonzero(place >= step)
            rank[later] = np.maximum(rank[later], rank[later - 1])
        found.append(values_of(judgements, test, each, rank + place, rules, 1)[:, 0])
    return np.mean(found, axis=0)


def values_of(
    judgements: Judgements, test: np.ndarray, user: np.ndarray, rank: np.ndarray, rules: Rules, copies: int
) -> np.ndarray:
    """Return metrics, users x copies x columns, of test rows at given ranks; a copy is each of a user's ranks alone."""
    parts = {name: getattr(judgements, name) for name in ROWS}
    taken: dict[str, Any] = {name: None if part is None else part[test] for name, part in parts.items()}
    alone = user * copies + (np.arange(len(user)) % copies if copies > 1 else 0)
    rows = replace(judgements, **taken | {"user": alone, "rank": rank})
    found = evaluate_by_rule(rows, rules.metrics, rules.cutoffs, rules.relevance)
    values = np.column_stack([found[name] for name in rules.columns])
    return values.reshape(-1, copies, values.shape[1])


def values_at(judgements: Judgements, rank: np.ndarray, rules: Rules) -> tuple[list[str], np.ndarray]:
    """Return the columns' names and the metrics, users x columns, where test rows have these ranks."""
    found = evaluate_by_rule(replace(judgements, rank=rank), rules.metrics, rules.cutoffs, rules.relevance)
    columns = rules.columns
    return columns, np.column_stack([found[name] for name in columns])


def bounds_of(search: Search, judgements: Judgements, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the largest that each metric can be, whatever was not scored.

    A metric of ranks up to K does not rise when candidates come ahead of test items whose order is known.
    """
    known = known_ranks(search)
    ends = [mean_of(values_at(judgements, rank, rules)[1]) for rank in (known.least, known.largest)]
    return np.minimum(*ends), np.maximum(*ends)


def mean_of(values: np.ndarray) -> np.ndarray:
    """Return the mean over users; users without a value count as 0."""
    return np.nan_to_num(values).mean(axis=0)
