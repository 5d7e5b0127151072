"""Which metric to trust on a dataset, by the rules that docs/meta.md writes down."""

from collections.abc import Callable, Collection
from typing import Any

import pandas as pd

ALPHA = 0.05  # after Holm's adjustment
NEGATIVES = 100
SAMPLED = "uncorrected"


def on_metrics(significance: pd.DataFrame, power: pd.DataFrame, robustness: pd.DataFrame) -> dict[str, Any] | None:
    """Return what the three tables say of the metrics of rankings, which the sweeps of robustness are about.

    Diversity or the error of predictions may tell models apart very well, but not by how well they rank. None where
    there are no two models to tell apart.
    """
    significance, power = (table[table["metric"].isin(robustness["metric"])] for table in (significance, power))
    pairs = significance.groupby(["model_a", "model_b"], sort=False)["p_holm"].min()
    if pairs.empty:
        return None
    separated = significance[significance["p_holm"] < ALPHA].groupby(["metric", "k"]).size()
    power = power.join(separated.rename("separated"), on=["metric", "k"]).fillna({"separated": 0})
    biases = dict(list(robustness[robustness["fraction"] < 1].groupby("bias", sort=False)))
    return {
        "pairs": len(pairs),
        "alpha": ALPHA,
        "discriminates": overall_and_cut_off(power, most_discriminating),
        "robust": {bias: overall_and_cut_off(rows, most_robust) for bias, rows in biases.items()},
        "inseparable": [list(pair) for pair in pairs.index[pairs >= ALPHA]],
    }


def overall_and_cut_off(rows: pd.DataFrame, best: Callable[[pd.DataFrame], dict | None]) -> dict[str, dict | None]:
    """Return the best metric of all, and the best of those that see the top of the list only."""
    cut_off = rows[rows["k"] != "all"]
    return {"overall": best(rows), "cut_off": None if cut_off.empty else best(cut_off)}


def most_discriminating(power: pd.DataFrame) -> dict[str, Any] | None:
    """Return the metric of least DP among those that separate a pair; of equals, the one that separates most pairs,
    then the first. None where no metric separates any."""
    power = power[power["separated"] > 0]
    if power.empty:
        return None
    power = power.sort_values(["dp", "separated"], ascending=[True, False], kind="stable")
    best = power.iloc[0]
    equals = int((power["dp"] == best["dp"]).sum() - 1)
    found = {"dp": float(best["dp"]), "separated": int(best["separated"]), "equals": equals}
    return {"metric": best["metric"], "k": best["k"], **found}


def most_robust(thinned: pd.DataFrame) -> dict[str, Any] | None:
    """Return the metric with the largest mean tau over all thinned test sets; an undefined order counts as 0.

    Of equals it is the first, and their number is told. None where no order is defined under any metric.
    """
    if thinned["tau"].isna().all():
        return None
    of_metric = thinned.groupby(["metric", "k"], sort=False)["tau"]
    mean = of_metric.agg(lambda tau: tau.fillna(0).mean())
    best = mean.idxmax()
    undefined = int(of_metric.agg(lambda tau: tau.isna().sum())[best])
    equals = int((mean == mean[best]).sum() - 1)
    return {"metric": best[0], "k": best[1], "tau": float(mean[best]), "undefined": undefined, "equals": equals}


def on_sampling(order: pd.DataFrame, samplers: Collection[str]) -> dict[str, Any] | None:
    """Return how many orders 100 negatives would have reversed, and which estimator gets most of them right.

    Pairs of models that are exactly equal have no order, and do not count.
    """
    order = order[order["sampler"].isin(samplers)].dropna(subset="right")
    if order.empty:
        return None
    order = order.assign(share=order["right"] / order["repeats"])
    plain = dict(list(order[order["estimator"] == SAMPLED].groupby("sampler", sort=False)["share"]))
    right = order.groupby("estimator", sort=False)["share"].mean()
    return {
        "negatives": NEGATIVES,
        "samplers": {
            sampler: {"orders": len(share), "reversed": int((share < 0.5).sum()), "right": float(share.mean())}
            for sampler, share in plain.items()
        },
        "estimator": {
            "name": right.idxmax(),
            "right": float(right.max()),
            "equals": int((right == right.max()).sum() - 1),
        },
    }
