"""Samplers and estimators judged by the exact ranks: errors, orders, winners."""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from truerank.artefacts.test_instances import ExactRanks
from truerank.core.sampled_bounds import sampled_bounds
from truerank.core.sampling import Samples
from truerank.core.sampling_cost import sampling_cost
from truerank.core.sampling_error import sampling_errors
from truerank.estimators._core.dominance import recall_curve
from truerank.estimators._core.mapping import MAPPINGS
from truerank.estimators._core.user_sampling import hoeffding_half, normal_interval
from truerank.meta.kendall import DIGITS, pair_orders
from truerank.registry import METRICS, SAMPLERS, Cutoff, Definitions

MAPPED_K = (1, 2, 5, 10)
ABOUT = ["sampler", "estimator", "metric", "k"]
ORDER = [*ABOUT, "model_a", "model_b", "right", "repeats"]
MAPPED = ["sampler", "mapping", "k", "f", "winner", "right", "repeats"]
USERS = ["sampler", "model", "metric", "k", "exact", "mean", "sd", "relative_error", "normal_half", "normal_covered"]
USERS += ["hoeffding_half", "hoeffding_covered", "repeats"]
Frames = list[pd.DataFrame]


def judgement(
    ranked: ExactRanks,
    samples: Mapping[str, Samples],
    estimates: Mapping[tuple[str, str], pd.DataFrame],
    samplers: Definitions,
    models: Sequence[str],
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    n_items: int,
) -> dict[str, Frames]:
    """Return tables by name: accuracy, error, bounds, order, winner, mapped (winners of mapped recall), cost, effort
    and user_sampling.

    samples, samplers : by sampler, what it gave and its definition. estimates : by sampler and estimator. models :
    names in the order of ``ranked``. n_items : of the catalogue, which the mapping functions take.
    """
    columns, values = ranked.values(metrics, cutoffs)
    exact = pd.DataFrame(values.mean(axis=1), models, columns)
    frames = [judged(table, *pair, exact, metrics) for pair, table in estimates.items()]
    tables = {name: [found[place] for found in frames] for place, name in enumerate(("accuracy", "order", "winner"))}
    tables["error"] = sampling_errors(estimates, samples, values, models, columns)
    tables["bounds"] = sampled_bounds(ranked, samples, estimates, samplers, models, metrics, cutoffs)
    cost, effort = sampling_cost(samplers, samples, ranked, models)
    uniform = [n for n in samples if SAMPLERS.of(samplers[n]).facts.gives == "ranks"]
    fixed = [mapped(name, samples[name], ranked, models, n_items) for name in uniform]
    chosen = [user_sampling(n, a["chosen"], values, models, columns) for n, a in samples.items() if "chosen" in a]
    return tables | {"mapped": fixed, "cost": cost, "effort": effort, "user_sampling": chosen}


def judged(
    table: pd.DataFrame, sampler: str, estimator: str, exact: pd.DataFrame, metrics: Definitions
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the tables of one sampler with one estimator: accuracy, order, winner.

    Two models that are exactly equal have no right order: null.
    """
    accuracy, order, winner = [], [], []
    for (metric, k), rows in table.groupby(["metric", "k"], sort=False):
        found = rows.pivot(index="model", columns="repeat", values="estimate").reindex(exact.index)
        true = exact[f"{metric}@{k}"]
        about = {"sampler": sampler, "estimator": estimator, "metric": metric, "k": k}
        errors = found.sub(true, axis=0).abs().mean(axis=1) / true.abs().where(true != 0)
        figures = {"exact": true, "mean": found.mean(axis=1), "sd": found.std(axis=1), "relative_error": errors}
        accuracy.append(pd.DataFrame(figures).rename_axis("model").reset_index().assign(**about))
        repeats = found.shape[1]
        orders = pair_orders(true.to_numpy())
        right = (pair_orders(found.to_numpy().T) == orders).sum(axis=0)
        for (one, other), way, count in zip(combinations(exact.index, 2), orders, right, strict=True):
            right_way = {"right": int(count) if way else None, "repeats": repeats}
            order.append(about | {"model_a": one, "model_b": other} | right_way)
        sign = 1 if METRICS.of(metrics[metric]).facts.higher_is_better else -1
        first, both = leaders(sign * found.to_numpy().T, sign * true.to_numpy())
        winner.append(about | {"right_top1": first, "right_top2": both, "repeats": repeats})
    return pd.concat(accuracy, ignore_index=True), pd.DataFrame(order, columns=ORDER), pd.DataFrame(winner)


def leaders(found: np.ndarray, true: np.ndarray) -> tuple[int, int]:
    """Return in how many repeats the best model is found, and the best two, in any order. found : repeats x models.

    Of models that are exactly equal any may be found; of models that an estimate cannot tell apart the worst counts.
    """
    true, found = np.round(true, DIGITS), np.round(found, DIGITS)
    chosen = np.lexsort((np.broadcast_to(true, found.shape), -found), axis=1)[:, :2]
    first, two = true[chosen[:, 0]], np.sort(true[chosen], axis=1)
    return int((first == true.max()).sum()), int((two == np.sort(true)[-2:]).all(axis=1).sum())


def mapped(sampler: str, arrays: Samples, ranked: ExactRanks, models: Sequence[str], n_items: int) -> pd.DataFrame:
    """Return in how many repeats the model that is best by sampled recall@k is best by exact recall@f(k), per mapping.

    n_items : of the whole catalogue, also where ranks leave training items out. Of models with equal exact recall any
    may win, of those with equal sampled recall all must be best; Li et al. 2024, doi:10.1145/3629171, Table 3.
    """
    m = int(arrays["negatives"])
    k = np.array([each for each in MAPPED_K if each <= m])
    sampled = (arrays["rank"][..., None] <= k).mean(axis=2)
    curves = np.stack([recall_curve(rank, int(ranked.candidates.max())) for rank in ranked.rank])
    rows = []
    for name, function in MAPPINGS.items():
        for place, f in enumerate(np.minimum(function(k, n_items, m + 1), curves.shape[1])):
            exact = curves[:, f - 1]
            best = exact == exact.max()
            leading = sampled[:, :, place] == sampled[:, :, place].max(axis=0)
            right = int((leading <= best[:, None]).all(axis=0).sum())
            winner = " = ".join(np.array(models)[best])
            rows.append([sampler, name, str(k[place]), int(f), winner, right, sampled.shape[1]])
    return pd.DataFrame(rows, columns=MAPPED)


def user_sampling(
    sampler: str, chosen: np.ndarray, values: np.ndarray, models: Sequence[str], columns: Sequence[str]
) -> pd.DataFrame:
    """Return how near the mean over chosen instances comes, and how often 95 % intervals hold it."""
    rows = []
    for model, of_model in zip(models, values, strict=True):
        for column, of_column in zip(columns, of_model.T, strict=True):
            metric, _, k = column.rpartition("@")
            exact = of_column.mean()
            mean, half = normal_interval(of_column[chosen])
            error, wide = np.abs(mean - exact), hoeffding_half(chosen.shape[1])
            figures = [exact, mean.mean(), mean.std(ddof=1) if len(mean) > 1 else np.nan]
            figures += [error.mean() / exact if exact else np.nan, half.mean(), int((error <= half).sum())]
            rows.append([sampler, model, metric, k, *figures, wide, int((error <= wide).sum()), len(mean)])
    return pd.DataFrame(rows, columns=USERS)
