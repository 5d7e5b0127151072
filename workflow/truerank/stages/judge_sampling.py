"""Judge samplers and estimators by the exact ranks: errors, orders, winners, cost."""

from itertools import combinations

import numpy as np
import pandas as pd

from truerank.estimators.dominance import recall_curve
from truerank.estimators.mapping import MAPPINGS
from truerank.estimators.user_sampling import hoeffding_half, normal_interval
from truerank.registry import METRICS
from truerank.stages.files import read_arrays, read_table, write_table
from truerank.stages.instances import read_ranked
from truerank.stages.sampling_cost import sampling_cost

KEYS = ["sampler", "estimator", "metric", "k"]
MAPPED = ["sampler", "mapping", "k", "f", "winner", "right", "repeats"]
MAPPED_K = (1, 2, 5, 10)


def judge_sampling(ranks, samples, estimates, samplers, models, metrics, cutoffs, relevance, outputs):
    """Write accuracy, order, winner, winners of mapped recall, cost, effort and user sampling.

    samples : sampler -> path. estimates : (sampler, estimator) -> path. samplers : sampler -> definition. models :
    names in the order of ``ranks``.
    """
    ranked = read_ranked(ranks, relevance)
    columns, values = ranked.values(metrics, cutoffs)
    exact = pd.DataFrame(values.mean(axis=1), models, columns)
    frames = [judged(read_table(path), *pair, exact, metrics) for pair, path in estimates.items()]
    for name, kind in enumerate(("accuracy", "order", "winner")):
        tables = [frame[name] for frame in frames]
        write_table(outputs[kind], pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=KEYS))
    arrays = {name: read_arrays(path) for name, path in samples.items()}
    for kind, table in zip(("cost", "effort"), sampling_cost(samplers, arrays, ranked, models), strict=True):
        write_table(outputs[kind], table)
    fixed = [mapped(n, a, ranked, models) for n, a in arrays.items() if np.ndim(a.get("negatives", [])) == 0]
    write_table(outputs["mapped"], pd.concat(fixed, ignore_index=True) if fixed else pd.DataFrame(columns=MAPPED))
    chosen = [user_sampling(n, a["chosen"], values, models, columns) for n, a in arrays.items() if "chosen" in a]
    empty = pd.DataFrame(columns=["sampler", "model", "metric", "k", *USER_FIGURES])
    write_table(outputs["user_sampling"], pd.concat(chosen, ignore_index=True) if chosen else empty)


def judged(table, sampler, estimator, exact, metrics):
    """Return the tables of one sampler with one estimator: accuracy, order, winner."""
    accuracy, order, winner = [], [], []
    for (metric, k), rows in table.groupby(["metric", "k"], sort=False):
        found = rows.pivot(index="model", columns="repeat", values="estimate").reindex(exact.index)
        true = exact[f"{metric}@{k}"]
        about = {"sampler": sampler, "estimator": estimator, "metric": metric, "k": k}
        errors = found.sub(true, axis=0).abs().mean(axis=1) / true.abs().where(true != 0)
        figures = {"exact": true, "mean": found.mean(axis=1), "sd": found.std(axis=1), "relative_error": errors}
        accuracy.append(pd.DataFrame(figures).rename_axis("model").reset_index().assign(**about))
        repeats = found.shape[1]
        for one, other in combinations(exact.index, 2):
            right = np.sign(found.loc[one] - found.loc[other]) == np.sign(true[one] - true[other])
            order.append(about | {"model_a": one, "model_b": other, "right": int(right.sum()), "repeats": repeats})
        sign = 1 if METRICS[metrics[metric]["kind"]].facts["higher_is_better"] else -1
        first, both = leaders(sign * found.to_numpy().T, sign * true.to_numpy())
        winner.append(about | {"right_top1": first, "right_top2": both, "repeats": repeats})
    columns = ["sampler", "estimator", "model", "metric", "k", "exact", "mean", "sd", "relative_error"]
    return pd.concat(accuracy, ignore_index=True)[columns], pd.DataFrame(order), pd.DataFrame(winner)


def leaders(found, true):
    """Return in how many repeats the best model is found, and the best two, in any order. found : repeats x models."""
    by_found, by_true = np.argsort(-found, axis=1, kind="stable"), np.argsort(-true, kind="stable")
    two = np.sort(by_found[:, :2], axis=1) == np.sort(by_true[:2])
    return int((by_found[:, 0] == by_true[0]).sum()), int(two.all(axis=1).sum())


def mapped(sampler, arrays, ranked, models):
    """Return in how many repeats the model that is best by sampled recall@k is best by exact recall@f(k), per mapping.

    Of models with equal exact recall any may win; Li et al. 2024, doi:10.1145/3629171, Table 3.
    """
    m = int(arrays["negatives"])
    k = np.array([each for each in MAPPED_K if each <= m])
    sampled = (arrays["rank"][..., None] <= k).mean(axis=2)
    curves = np.stack([recall_curve(rank, int(ranked.candidates.max())) for rank in ranked.rank])
    rows = []
    for name, function in MAPPINGS.items():
        for place, f in enumerate(np.minimum(function(k, ranked.n_items, m + 1), curves.shape[1])):
            exact = curves[:, f - 1]
            best = exact == exact.max()
            right = int(best[sampled[:, :, place].argmax(axis=0)].sum())
            winner = " = ".join(np.array(models)[best])
            rows.append([sampler, name, int(k[place]), int(f), winner, right, sampled.shape[1]])
    return pd.DataFrame(rows, columns=MAPPED)


USER_FIGURES = [
    *("exact", "mean", "sd", "relative_error", "normal_half", "normal_covered", "hoeffding_half", "hoeffding_covered"),
    "repeats",
]


def user_sampling(sampler, chosen, values, models, columns):
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
    return pd.DataFrame(rows, columns=["sampler", "model", "metric", "k", *USER_FIGURES])
