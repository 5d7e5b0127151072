"""Which metric to report on a dataset, by the rules that docs/meta.md writes down."""

import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from truerank.core.power import ALPHA
from truerank.meta.best_set import BestSet, named_by_convention, users_for_handful

NEGATIVES = 100
SAMPLED = "uncorrected"
TOO_MANY = 1_000  # times the users that there are: not worth a figure


def on_metrics(
    significance: pd.DataFrame,
    power: pd.DataFrame,
    best: pd.DataFrame,
    users: int,
    order: Sequence[str],
    robustness: pd.DataFrame | None = None,
) -> dict[str, Any] | None:
    """Return the best set of the metrics with a cut-off, or of whole rankings where there are none, with its name.

    significance, power, best : as ``test_significance`` writes them. order : metrics as the config has them.
    robustness : one row per bias, metric and cut-off. ``case`` says which sentence applies: ``same`` (the models give
    everybody the same lists), ``all`` (every metric separates every pair), ``none`` (no metric can be told from the
    best), ``half`` (more than half cannot), ``some``. None where there are no two models to tell apart.
    """
    judged = power.merge(best, on=["metric", "k"])
    if judged.empty:
        return None
    groups = dict(list(judged.groupby("judges", sort=False)))
    main = next(groups[judges] for judges in ("cut_off", "whole") if judges in groups)
    found = of_group(main, users, order)
    tests = significance[(significance["metric"] == found["metric"]) & (significance["k"] == found["k"])]
    same = same_by_name(significance.merge(main[["metric", "k"]]))
    whole = groups.get("whole")
    return {
        **found,
        "case": case_of(main, len(tests), len(same)),
        "users": users,
        "alpha": ALPHA,
        "pairs": len(tests),
        "same_pairs": same,
        "inseparable": pairs_where(tests, tests["p_holm"] >= ALPHA, same),
        "whole": None if whole is None or whole is main else of_group(whole, users, order),
        "robust": {} if robustness is None else on_robustness(robustness, found),
    }


def of_group(judged: pd.DataFrame, users: int, order: Sequence[str]) -> dict[str, Any]:
    """Return the metric that names the best set, the set, and how it would shrink. judged : metrics of one group."""
    inside = judged["in_best_set"].to_numpy(bool)
    metrics = list(zip(judged["metric"], judged["k"], strict=True))
    place = named_by_convention(metrics, judged["criterion"].to_numpy(), inside, order)
    row = judged.iloc[place].to_dict()
    numbers = {name: float(row[name]) for name in ("stability", "criterion", "criterion_se", "dp", "dp_low", "dp_high")}
    state = BestSet(inside, *(judged[name].to_numpy(float) for name in ("distance", "critical")))
    needed = users_for_handful(state, users)
    reachable = needed is not None and math.isfinite(needed) and needed < TOO_MANY * users
    return {
        "metric": row["metric"],
        "k": row["k"],
        "set": [f"{m}@{k}" for m, k in np.array(metrics, object)[inside]],
        "of": len(metrics),
        **numbers,
        "separated": int(row["separated"]),
        "users_for_handful": math.ceil(needed) if reachable else None,  # type: ignore[arg-type]  # not None then
    }


def case_of(judged: pd.DataFrame, pairs: int, same: int) -> str:
    inside = int(judged["in_best_set"].sum())
    if same == pairs:
        return "same"
    if (judged["separated"] == pairs).all():
        return "all"
    if inside == len(judged):
        return "none"
    return "half" if 2 * inside > len(judged) else "some"


def same_by_name(tests: pd.DataFrame) -> list[list[str]]:
    """Return the pairs that have the same values for everybody under every metric. tests : of metrics of rankings."""
    equal = (tests["difference"] == 0) & tests["effect_size"].isna()
    everywhere = equal.groupby([tests["model_a"], tests["model_b"]], sort=False).all()
    return [list(pair) for pair in everywhere.index[everywhere]]


def pairs_where(tests: pd.DataFrame, chosen: pd.Series, without: list[list[str]]) -> list[list[str]]:
    found = tests.loc[chosen, ["model_a", "model_b"]].to_numpy().tolist()
    return [pair for pair in found if pair not in without]


def on_robustness(robustness: pd.DataFrame, named: dict[str, Any]) -> dict[str, Any]:
    """Return, per bias, how many metrics with a cut-off cannot be told from the most robust, and how the named one is.

    robustness : bias, metric, k, tau, tau_se, in_best_set. None for a bias under which no order is defined.
    """
    found: dict[str, Any] = {}
    for bias, rows in robustness.groupby("bias", sort=False):
        rows = rows.dropna(subset="in_best_set")
        if rows.empty:
            found[str(bias)] = None
            continue
        first = rows.loc[rows["tau"].idxmax()]
        own = rows[(rows["metric"] == named["metric"]) & (rows["k"] == named["k"])]
        found[str(bias)] = {
            "best": {name: first[name] for name in ("metric", "k", "tau", "tau_se")},
            "named": None if own.empty else {name: own.iloc[0][name] for name in ("tau", "tau_se")},
            "in_set": own.empty or bool(own.iloc[0]["in_best_set"]),
            "set": int(rows["in_best_set"].sum()),
            "of": len(rows),
        }
    return found


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
