"""Which models differ under which metric, and how well each metric tells models apart."""

import numpy as np
import pandas as pd

from truerank.meta.significance import compare
from truerank.metrics._core.evaluation import policy_of
from truerank.provenance import generator
from truerank.registry import Definitions

PAIRS = ["metric", "k", "model_a", "model_b", "difference", "p_value", "p_holm"]
POWER = ["metric", "k", "dp", "dp_ordered"]


def pairs_and_power(
    per_user: pd.DataFrame,
    metrics: Definitions,
    undefined_users: str,
    draws: int,
    names: tuple[str, ...],
    seed: int,
    threads: int = 1,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the p-values of all pairs under all metrics, raw and Holm-adjusted, and their sums per metric.

    per_user : model, user, and one column per metric and cut-off. names : dataset and split; the users' signs follow
    from them, the seed and the users' codes. A model for which a metric is not defined at all is in no pair under it;
    where that leaves no pair, the sums are null.
    """
    values = per_user.set_index("user")
    models = dict(list(values.groupby("model", sort=False)))
    users = np.unique(values.index)
    columns = list(values.columns.drop("model"))
    having = {column: [model for model, own in models.items() if own[column].notna().any()] for column in columns}
    tables = [
        np.column_stack(
            [models[model][column].reindex(users) for model in having[column]] or [np.empty((len(users), 0))]
        )
        for column in columns
    ]
    rng = generator(seed, "test_significance", *names)
    named = [column.rpartition("@")[::2] for column in columns]
    policies = [policy_of(metrics[metric], undefined_users) for metric, _ in named]
    found = compare(tables, rng, draws, users, policies, threads)
    pairs, powers = [], []
    for (metric, k), column, comparison in zip(named, columns, found, strict=True):
        model = np.array(having[column], object)
        tested = {"model_a": model[comparison.left], "model_b": model[comparison.right]}
        results = {"difference": comparison.difference, "p_value": comparison.p_value, "p_holm": comparison.p_holm}
        pairs.append(pd.DataFrame({"metric": metric, "k": k, **tested, **results}))
        power = np.nan if len(model) < 2 <= len(models) else comparison.power
        powers.append((metric, k, power, 2 * power))
    all_pairs = pd.concat(pairs, ignore_index=True) if pairs else pd.DataFrame(columns=PAIRS)
    return all_pairs, pd.DataFrame(powers, columns=POWER)
