"""Which models differ under which metric: every pair of models under every metric and cut-off."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from truerank.core.comparing import pair_rows
from truerank.core.measured import Measured
from truerank.meta.many_users import compare_many
from truerank.meta.significance import Comparison, compare

PAIRS = ["metric", "k", "model_a", "model_b", "difference", "ci_low", "ci_high", "effect_size"]
PAIRS += ["p_value", "p_holm", "p_fdr"]
CONFIDENCE = 0.95


def compare_all(
    tables: Sequence[Measured],
    users: np.ndarray,
    draws: int,
    rng: np.random.Generator,
    threads: int = 1,
    most_users: int | None = None,
) -> tuple[pd.DataFrame, list[Comparison]]:
    """Return the difference of every two models under every metric, with interval, effect size and p-values; and the
    tests themselves.

    users : integer codes, which decide the users' signs. A model for which a metric is not defined at all is in no pair
    under it. most_users : if given, p is approximated for more users than that differ, as ``compare_many`` does.
    """
    values, policies = [table.tested for table in tables], [table.undefined_users for table in tables]
    if most_users is None:
        tested = compare(values, rng, draws, users, policies, threads)
    else:
        tested = compare_many(values, rng, draws, policies, threads, most_users)
    rows: list[dict[str, Any]] = []
    for table, found in zip(tables, tested, strict=True):
        rows += pair_rows(table.models, table, found, CONFIDENCE)
    return pd.DataFrame(rows, columns=PAIRS), tested
