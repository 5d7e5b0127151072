"""The advice of papers against made-up trials in which it holds, and does not."""

import pandas as pd
from truerank.core.advice import advice, as_rows

NAMED = {"metric": "ndcg", "k": "100", "users": 6040, "pairs": 45, "same_pairs": [], "separated": 43}
DEFINITIONS = {"ndcg": {"kind": "ndcg"}, "precision": {"kind": "precision"}, "sdcse": {"kind": "sdcse"}}


def trial(deep=4.9, shallow=4.1, precise=True, tau=0.5, inside=True):
    """Power, robustness and agreement of ndcg and precision at two cut-offs."""
    rows = [(metric, k, deep if k == "100" else shallow) for metric in ("ndcg", "precision") for k in ("10", "100")]
    power = pd.DataFrame(rows, columns=["metric", "k", "criterion"])
    power["in_best_set"] = [inside and metric == "ndcg" and k == "100" for metric, k, _ in rows]
    error = pd.DataFrame([("sdcse", "100", 0.0, None)], columns=power.columns)
    power = pd.concat([power.astype(object), error.astype(object)], ignore_index=True).infer_objects()
    robust = [("sparsity", metric, k, 0.9 if metric == "ndcg" else 0.8) for metric, k, _ in rows]
    robustness = pd.DataFrame(robust, columns=["bias", "metric", "k", "tau"])
    robustness["in_best_set"] = [metric == "ndcg" or precise for _, metric, _, _ in robust]
    correlation = pd.DataFrame(
        [("ndcg", "100", "sdcse", "10", 0.99), ("ndcg", "100", "sdcse", "100", tau)],
        columns=["metric_a", "k_a", "metric_b", "k_b", "tau"],
    )
    return power, robustness, correlation


def held(found, tables, **changes):
    """Whether each piece of advice holds, in order."""
    return [piece.holds for piece in advice(found | changes, *tables, DEFINITIONS)]


SAMPLING = {
    "samplers": {"uniform_100": {"orders": 20, "reversed": 3, "right": 0.8}},
    "estimator": {"name": "monotone_mle", "right": 0.97, "equals": 0},
}


def test_advice_is_held_against_the_data():
    found = {"metrics": NAMED, "sampling": SAMPLING}
    pieces = advice(found, *trial(), DEFINITIONS)
    assert [piece.source.split()[0] for piece in pieces] == ["Valcarce"] * 3 + ["Li", "Krichene", "Aftab"]
    depth, power, precision, users, sampling, errors = (piece.here for piece in pieces)
    assert depth.startswith("2 of 2 metrics separate models better at 100 than at 10; the mean criterion goes from 4.1")
    assert power == "nDCG is among the 1 of 4 metrics that are not significantly worse than the best."
    assert "missing at random, ndcg@10 keeps the order best (tau 0.900), and precision@10 (tau 0.800)" in precision
    assert users == "6,040 test users separate 43 of 45 pairs by ndcg@100; that is fewer than advised."
    assert "uniform_100, uncorrected, reverses 3 of 20 orders; monotone_mle gets 97 of 100" in sampling
    assert errors.startswith("sdcse@100")
    assert "tau 0.50 to ndcg@100: it says something else" in errors
    assert [piece.holds for piece in pieces] == [True, True, True, False, True, True]
    assert all(set(row) == {"source", "advice", "here", "holds"} for row in as_rows(pieces))


def test_advice_that_does_not_hold_and_that_cannot_be_told():
    found = {"metrics": NAMED, "sampling": None}
    against = trial(deep=3, precise=False, tau=0.95, inside=False)
    assert held(found, against) == [False, False, False, False, None, False]
    assert held(found, trial(), metrics=NAMED | {"users": 20_000})[3] is True
    power, _, _ = trial()
    assert [piece.holds for piece in advice(found, power, None, None, {})][2:] == [None, False, None, None]
    one_cut_off = power[power["k"] == "100"]
    assert advice(found, one_cut_off, None, None, {})[0].holds is None
    alone = advice({"metrics": None, "sampling": None}, None, None, None, DEFINITIONS)
    assert [piece.holds for piece in alone] == [None, None, None]
