"""Samplers and estimators judged by the exact ranks: errors, orders, winners."""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from truerank.artefacts.counted_samples import CountedSamples, Samples
from truerank.core.exact_summary import ExactSummary, RankBlocks, chosen_ranks, exact_summary, values_of_rank
from truerank.core.sampled_bounds import sampled_bounds
from truerank.core.sampling_cost import sampling_cost
from truerank.core.sampling_error import USER_MEAN, as_array, columns_of, sampling_errors
from truerank.core.user_tests import user_tests
from truerank.estimators._core.mapping import MAPPINGS
from truerank.estimators._core.user_sampling import hoeffding_half, normal_interval
from truerank.meta.kendall import DIGITS, pair_orders
from truerank.registry import METRICS, SAMPLERS, Cutoff, Definitions

MAPPED_K = (1, 2, 5, 10)
ABOUT = ["sampler", "estimator", "metric", "k"]
ORDER = [*ABOUT, "model_a", "model_b", "right", "repeats"]
WINNER = [*ABOUT, "right_top1", "right_top2", "repeats"]
MAPPED = ["sampler", "mapping", "k", "f", "winner", "right", "repeats"]
USERS = ["sampler", "model", "metric", "k", "exact", "mean", "sd", "relative_error", "normal_half", "normal_covered"]
USERS += ["hoeffding_half", "hoeffding_covered", "repeats"]
Frames = list[pd.DataFrame]


def judgement(
    ranked: RankBlocks,
    samples: Mapping[str, Samples],
    estimates: Mapping[tuple[str, str], pd.DataFrame],
    samplers: Definitions,
    models: Sequence[str],
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    n_items: int,
    threads: int = 1,
) -> dict[str, Frames]:
    """Return tables by name: accuracy, error, bounds, order, winner, mapped (winners of mapped recall), cost, effort,
    user_sampling and user_tests.

    samples, samplers : by sampler, what it gave and its definition. estimates : by sampler and estimator. models :
    names in the order of ``ranked``. n_items : of the catalogue, which the mapping functions take.
    """
    summary = exact_summary(ranked, metrics, cutoffs)
    columns = summary.columns
    exact = pd.DataFrame(summary.mean, models, columns)
    arrays = {pair: as_array(table, models, columns) for pair, table in estimates.items()}
    estimated = {pair: list(columns_of(table).unique()) for pair, table in estimates.items()}
    frames = [judged(arrays[pair], estimated[pair], *pair, exact, metrics) for pair in estimates]
    tables = {name: [found[place] for found in frames] for place, name in enumerate(("accuracy", "order", "winner"))}
    counted = {name: found for name, found in samples.items() if isinstance(found, CountedSamples)}
    chosen = {name: found["chosen"] for name, found in samples.items() if isinstance(found, Mapping)}
    picked = {name: chosen_ranks(ranked, places) for name, places in chosen.items()}
    tables["bounds"] = sampled_bounds(summary, samples, arrays, estimated, samplers, models, metrics, threads)
    cost, effort = sampling_cost(samplers, samples, ranked, summary, picked, models)
    uniform = [name for name in counted if SAMPLERS.of(samplers[name]).facts.gives == "ranks"]
    fixed = [mapped(name, counted[name], summary, models, n_items) for name in uniform]
    near, tests, means = [], [], {}
    for name, (rank, candidates) in picked.items():
        values = values_of_users(rank, candidates, metrics, cutoffs)
        near.append(user_sampling(name, values, exact))
        tests.append(user_tests(name, values, exact, summary.hits))
        means[name, USER_MEAN] = values.mean(axis=2)
    tables["error"] = sampling_errors(arrays | means, summary.mean, models, columns)
    return tables | {"mapped": fixed, "cost": cost, "effort": effort, "user_sampling": near, "user_tests": tests}


def judged(
    estimates: np.ndarray,
    columns: list[str],
    sampler: str,
    estimator: str,
    exact: pd.DataFrame,
    metrics: Definitions,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the tables of one sampler with one estimator: accuracy, order, winner.

    estimates : models x repeats x all columns. columns : those that the estimator has. Two models that are exactly
    equal have no right order: null.
    """
    found = estimates[..., exact.columns.get_indexer(columns)].transpose(2, 0, 1)  # columns x models x repeats
    true = exact[columns].to_numpy().T
    repeats = found.shape[2]
    orders = pair_orders(true)
    right = (pair_orders(found.transpose(0, 2, 1)) == orders[:, None]).sum(axis=1)
    pairs = list(combinations(exact.index, 2))
    order, winner = [], []
    for place, column in enumerate(columns):
        metric, _, k = column.rpartition("@")
        about = [sampler, estimator, metric, k]
        for pair, way, count in zip(pairs, orders[place], right[place], strict=True):
            order.append([*about, *pair, int(count) if way else None, repeats])
        sign = 1 if METRICS.of(metrics[metric]).facts.higher_is_better else -1
        winner.append([*about, *leaders(sign * found[place].T, sign * true[place]), repeats])
    accuracy = accuracy_of(found, true, list(exact.index), columns).assign(sampler=sampler, estimator=estimator)
    return accuracy, pd.DataFrame(order, columns=ORDER), pd.DataFrame(winner, columns=WINNER)


def accuracy_of(found: np.ndarray, true: np.ndarray, models: list[str], columns: list[str]) -> pd.DataFrame:
    """Return model, metric, k, exact, mean, sd, relative_error. found : columns x models x repeats."""
    rows = pd.DataFrame(found.reshape(-1, found.shape[2]), copy=False)  # a copy would add up in another order
    exact = pd.Series(true.ravel())
    errors = rows.sub(exact, axis=0).abs().mean(axis=1) / exact.abs().where(exact != 0)
    figures = {"exact": exact, "mean": rows.mean(axis=1), "sd": rows.std(axis=1), "relative_error": errors}
    metric, k = zip(*(column.rpartition("@")[::2] for column in columns), strict=True)
    about = {"metric": np.repeat(metric, len(models)), "k": np.repeat(k, len(models))}
    return pd.DataFrame({"model": models * len(columns)} | about | figures)


def leaders(found: np.ndarray, true: np.ndarray) -> tuple[int, int]:
    """Return in how many repeats the best model is found, and the best two, in any order. found : repeats x models.

    Of models that are exactly equal any may be found; of models that an estimate cannot tell apart the worst counts.
    """
    true, found = np.round(true, DIGITS), np.round(found, DIGITS)
    chosen = np.lexsort((np.broadcast_to(true, found.shape), -found), axis=1)[:, :2]
    first, two = true[chosen[:, 0]], np.sort(true[chosen], axis=1)
    return int((first == true.max()).sum()), int((two == np.sort(true)[-2:]).all(axis=1).sum())


def mapped(
    sampler: str, samples: CountedSamples, summary: ExactSummary, models: Sequence[str], n_items: int
) -> pd.DataFrame:
    """Return in how many repeats the model that is best by sampled recall@k is best by exact recall@f(k), per mapping.

    n_items : of the whole catalogue, also where ranks leave training items out. Of models with equal exact recall any
    may win, of those with equal sampled recall all must be best; Li et al. 2024, doi:10.1145/3629171, Table 3.
    """
    m = int(samples.about["negatives"])
    k = np.array([each for each in MAPPED_K if each <= m])
    sampled = np.cumsum(samples.seen.counts, axis=2)[:, :, k - 1] / summary.n
    curves = summary.curves
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


def values_of_users(
    rank: np.ndarray, candidates: np.ndarray, metrics: Definitions, cutoffs: Collection[Cutoff]
) -> np.ndarray:
    """Return the metrics of chosen instances, models x repeats x instances x columns."""
    values = [values_of_rank(own.ravel(), candidates.ravel(), metrics, cutoffs)[1] for own in rank]
    return np.stack(values).reshape(*rank.shape, -1)


def user_sampling(sampler: str, values: np.ndarray, exact: pd.DataFrame) -> pd.DataFrame:
    """Return how near the mean over chosen instances comes, and how often 95 % intervals hold it.

    values : models x repeats x instances x columns. exact : models x columns.
    """
    rows = []
    for model, of_model in zip(exact.index, values, strict=True):
        for place, column in enumerate(exact.columns):
            metric, _, k = column.rpartition("@")
            true = exact.at[model, column]
            mean, half = normal_interval(of_model[..., place])
            error, wide = np.abs(mean - true), hoeffding_half(of_model.shape[1])
            figures = [true, mean.mean(), mean.std(ddof=1) if len(mean) > 1 else np.nan]
            figures += [error.mean() / true if true else np.nan, half.mean(), int((error <= half).sum())]
            rows.append([sampler, model, metric, k, *figures, wide, int((error <= wide).sum()), len(mean)])
    return pd.DataFrame(rows, columns=USERS)
