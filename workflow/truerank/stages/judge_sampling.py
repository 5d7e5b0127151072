"""Judge samplers and estimators by the exact ranks: errors, orders, winners, cost."""

from itertools import combinations

import numpy as np
import pandas as pd

from truerank.artefacts.files import REAL, TEXT, WHOLE, read_arrays, read_table, write_frames
from truerank.artefacts.test_instances import read_ranked
from truerank.estimators._core.dominance import recall_curve
from truerank.estimators._core.mapping import MAPPINGS
from truerank.estimators._core.user_sampling import hoeffding_half, normal_interval
from truerank.meta.kendall import DIGITS, pair_orders
from truerank.registry import METRICS
from truerank.stages.sampling_cost import COST, EFFORT, sampling_cost

MAPPED_K = (1, 2, 5, 10)
ABOUT = {"sampler": TEXT, "estimator": TEXT, "metric": TEXT, "k": TEXT}
ACCURACY = {"sampler": TEXT, "estimator": TEXT, "model": TEXT, "metric": TEXT, "k": TEXT}
ACCURACY |= dict.fromkeys(("exact", "mean", "sd", "relative_error"), REAL)
ORDER = ABOUT | {"model_a": TEXT, "model_b": TEXT, "right": WHOLE, "repeats": WHOLE}
WINNER = ABOUT | dict.fromkeys(("right_top1", "right_top2", "repeats"), WHOLE)
MAPPED = {"sampler": TEXT, "mapping": TEXT, "k": TEXT, "f": WHOLE, "winner": TEXT, "right": WHOLE, "repeats": WHOLE}
USERS = {"sampler": TEXT, "model": TEXT, "metric": TEXT, "k": TEXT}
USERS |= dict.fromkeys(("exact", "mean", "sd", "relative_error"), REAL)
USERS |= {"normal_half": REAL, "normal_covered": WHOLE, "hoeffding_half": REAL, "hoeffding_covered": WHOLE}
USERS |= {"repeats": WHOLE}


def judge_sampling(ranks, samples, estimates, samplers, models, metrics, cutoffs, relevance, outputs):
    """Write accuracy, order, winner, winners of mapped recall, cost, effort and user sampling.

    samples : sampler -> path. estimates : (sampler, estimator) -> path. samplers : sampler -> definition. models :
    names in the order of ``ranks``.
    """
    ranked = read_ranked(ranks, relevance)
    columns, values = ranked.values(metrics, cutoffs)
    exact = pd.DataFrame(values.mean(axis=1), models, columns)
    frames = [judged(read_table(path), *pair, exact, metrics) for pair, path in estimates.items()]
    for place, (kind, types) in enumerate({"accuracy": ACCURACY, "order": ORDER, "winner": WINNER}.items()):
        write_frames(outputs[kind], [tables[place] for tables in frames], types)
    arrays = {name: read_arrays(path) for name, path in samples.items()}
    cost, effort = sampling_cost(samplers, arrays, ranked, models)
    write_frames(outputs["cost"], cost, COST)
    write_frames(outputs["effort"], effort, EFFORT)
    fixed = [mapped(n, a, ranked, models) for n, a in arrays.items() if np.ndim(a.get("negatives", [])) == 0]
    write_frames(outputs["mapped"], fixed, MAPPED)
    chosen = [user_sampling(n, a["chosen"], values, models, columns) for n, a in arrays.items() if "chosen" in a]
    write_frames(outputs["user_sampling"], chosen, USERS)


def judged(table, sampler, estimator, exact, metrics):
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
    order = pd.DataFrame(order, columns=list(ORDER))
    return pd.concat(accuracy, ignore_index=True), order, pd.DataFrame(winner)


def leaders(found, true):
    """Return in how many repeats the best model is found, and the best two, in any order. found : repeats x models.

    Of models that are exactly equal any may be found; of models that an estimate cannot tell apart the worst counts.
    """
    true, found = np.round(true, DIGITS), np.round(found, DIGITS)
    chosen = np.lexsort((np.broadcast_to(true, found.shape), -found), axis=1)[:, :2]
    first, two = true[chosen[:, 0]], np.sort(true[chosen], axis=1)
    return int((first == true.max()).sum()), int((two == np.sort(true)[-2:]).all(axis=1).sum())


def mapped(sampler, arrays, ranked, models):
    """Return in how many repeats the model that is best by sampled recall@k is best by exact recall@f(k), per mapping.

    Of models with equal exact recall any may win, of those with equal sampled recall all must be best; Li et al. 2024,
    doi:10.1145/3629171, Table 3.
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
            leading = sampled[:, :, place] == sampled[:, :, place].max(axis=0)
            right = int((leading <= best[:, None]).all(axis=0).sum())
            winner = " = ".join(np.array(models)[best])
            rows.append([sampler, name, str(k[place]), int(f), winner, right, sampled.shape[1]])
    return pd.DataFrame(rows, columns=list(MAPPED))


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
    return pd.DataFrame(rows, columns=list(USERS))
