"""Which models differ under which metric: every pair of models under every metric and cut-off."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from truerank.core.comparing import Differences, pair_rows
from truerank.core.measured import Measured, Users
from truerank.meta.flips import Flips
from truerank.meta.many_users import compare_many
from truerank.ranking.order import order_key

PAIRS = ["metric", "k", "model_a", "model_b", "difference", "ci_low", "ci_high", "effect_size"]
PAIRS += ["p_value", "p_holm", "p_fdr"]
CONFIDENCE = 0.95


def compare_all(
    users: Users, draws: int, rng: np.random.Generator, threads: int = 1
) -> tuple[pd.DataFrame, list[np.ndarray]]:
    """Return the difference of every two models under every metric, with interval, effect size and p-values; and the
    p-values by metric.

    A model for which a metric is not defined at all is in no pair under it.
    """
    return with_p_values(users, p_values(users, count_extreme(users, rng, slice(0, draws), threads), draws))


def compare_all_of_many(
    tables: Sequence[Measured], draws: int, rng: np.random.Generator, threads: int, most_users: int
) -> tuple[pd.DataFrame, list[np.ndarray]]:
    """Return the same with p approximated for more users than ``most_users`` that differ, as ``compare_many`` does."""
    values, policies = [table.tested for table in tables], [table.undefined_users for table in tables]
    found = compare_many(values, rng, draws, policies, threads, most_users)
    users = Users.of(tables, np.arange(len(values[0])))
    return with_p_values(users, [each.p_value for each in found])


def count_extreme(users: Users, rng: np.random.Generator, draws: slice, threads: int = 1) -> np.ndarray:
    """Count, per pair of all metrics in a row, the draws that are as extreme as what was observed.

    draws : some of them, as ``share_of_draws`` cuts them.
    """
    if not users.tables:
        return np.zeros(0, int)
    flips = Flips(users.view(lambda table: table.tested), [table.undefined_users for table in users.tables])
    return flips.count(order_key(rng), draws, threads)[0]


def p_values(users: Users, extreme: np.ndarray, draws: int) -> list[np.ndarray]:
    """Return p by metric. extreme : how many of the draws are, per pair of all metrics in a row."""
    n_pairs = [len(table.models) * (len(table.models) - 1) // 2 for table in users.tables]
    return np.split((1 + extreme) / (1 + draws), np.cumsum(n_pairs)[:-1]) if n_pairs else []


def with_p_values(users: Users, p_values: Sequence[np.ndarray]) -> tuple[pd.DataFrame, list[np.ndarray]]:
    """Return what is told of all pairs, and their p-values."""
    found = [Differences.of(table) for table in users.tables]
    for _, tables in users.read():
        found = [each.plus(Differences.of(table)) for each, table in zip(found, tables, strict=True)]
    rows: list[dict[str, Any]] = []
    for table, of_pairs, p in zip(users.tables, found, p_values, strict=True):
        rows += pair_rows(table.models, table, of_pairs, p, CONFIDENCE)
    return pd.DataFrame(rows, columns=PAIRS), list(p_values)
