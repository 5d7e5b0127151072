"""The same numbers as trec_eval, ir_measures and scikit-learn, on rankings full of ties, where definitions coincide.

Ranks come from our own ranking, which breaks the ties; the peers get the lists in that order. Users without a test item
are in the rankings and in nobody's judgements.
"""

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from ir_measures import AP, RR, Bpref, P, R, infAP, nDCG
from sklearn.metrics import average_precision_score, ndcg_score, roc_auc_score
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics.auc import auc
from truerank.metrics.average_precision import ap
from truerank.metrics.bpref import bpref
from truerank.metrics.inferred_ap import infap
from truerank.metrics.ndcg import ndcg, ndcg_full
from truerank.metrics.precision import precision, recall
from truerank.metrics.reciprocal_rank import rr

from tests.ranked import cases

K = (1, 2, 3, 5, 10, 25)
CUTOFFS = np.array(K)
FINITE = (-1.0, 0.0, 0.5, 2.0)


def judge(case, policy="random"):
    """Return the case as our metrics take it."""
    ranking = case.rank(policy)
    user = np.array([user for user, _ in sorted(case.tests)])
    rating = np.array([case.tests[pair] for pair in sorted(case.tests)])
    candidates = (~case.train).sum(axis=1)[user]
    return JudgedRanks(user, 1 + ranking.above + ranking.before, rating >= 4, candidates, rating)


def as_trec(case, unjudged=None):
    """Return judgements and the first 25 candidates of every user, the first with the highest score."""
    users = {user for user, _ in case.tests}
    orders = {user: case.order(user) for user in users}
    run = {f"u{user}": {f"i{item}": -float(place) for place, item in enumerate(orders[user])} for user in users}
    qrels = {user: dict.fromkeys(run[user], unjudged) if unjudged is not None else {} for user in run}
    for (user, item), rating in case.tests.items():
        qrels[f"u{user}"][f"i{item}"] = rating
    return qrels, run


def agree(ours, theirs, users):
    """Compare; where ours is undefined, theirs is 0 by their convention."""
    theirs = np.array([theirs[f"u{user}"] for user in users])
    np.testing.assert_allclose(np.nan_to_num(ours), theirs, rtol=0, atol=1e-9)


@given(case=cases(values=FINITE))
def test_trec_eval_at_cutoffs(case):
    judged, (qrels, run) = judge(case), as_trec(case)
    measures = {f"{name}.{','.join(map(str, K))}" for name in ("P", "recall", "map_cut", "ndcg_cut")}
    found = pytrec_eval.RelevanceEvaluator(qrels, measures, relevance_level=4).evaluate(run)
    ours = {"P": precision, "recall": recall, "map_cut": ap, "ndcg_cut": ndcg}
    for name, metric in ours.items():
        values = metric(judged, k=CUTOFFS)
        for column, k in enumerate(K):
            agree(values[:, column], {user: of[f"{name}_{k}"] for user, of in found.items()}, judged.users)


@given(case=cases(values=FINITE))
def test_trec_eval_of_lists_cut_off(case):
    """bpref, infAP, ndcg and recip_rank have no cut-off there: cut the list. Unjudged items are -1 for infAP."""
    judged = judge(case)
    ours = {"bpref": bpref, "infAP": infap, "ndcg": ndcg_full, "recip_rank": rr}
    for unjudged, names in ((None, ["bpref", "ndcg", "recip_rank"]), (-1, ["infAP"])):
        qrels, run = as_trec(case, unjudged)
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(names), relevance_level=4)
        values = {name: ours[name](judged, k=CUTOFFS) for name in names}
        for column, k in enumerate(K):
            found = evaluator.evaluate({user: dict(list(order.items())[:k]) for user, order in run.items()})
            for name in names:
                agree(values[name][:, column], {user: of[name] for user, of in found.items()}, judged.users)


@given(case=cases(values=FINITE))
def test_ir_measures(case):
    judged, (qrels, run) = judge(case), as_trec(case)
    k = np.array([5, np.inf])
    ours = {
        P(rel=4) @ 5: precision(judged, k=k)[:, 0],
        R(rel=4) @ 5: recall(judged, k=k)[:, 0],
        AP(rel=4) @ 5: ap(judged, k=k)[:, 0],
        AP(rel=4): ap(judged, k=k)[:, 1],
        nDCG @ 5: ndcg(judged, k=k)[:, 0],
        RR(rel=4): rr(judged, k=k)[:, 1],
        Bpref(rel=4): bpref(judged, k=k)[:, 1],
    }
    theirs = {measure: {} for measure in ours}
    for row in ir_measures.iter_calc(list(ours), qrels, run):
        theirs[row.measure][row.query_id] = row.value
    for measure, values in ours.items():
        agree(values, theirs[measure], judged.users)
    inferred = ir_measures.iter_calc([infAP(rel=4)], *as_trec(case, unjudged=-1))
    agree(infap(judged, k=k)[:, 1], {row.query_id: row.value for row in inferred}, judged.users)


def truths(case, user):
    """Return the ratings of all candidates in code order, 0 where unjudged, and their scores."""
    items = np.flatnonzero(~case.train[user])
    rating = np.array([case.tests.get((user, int(item)), 0) for item in items])
    return items, rating, case.scores[user, items]


@given(case=cases(values=FINITE))
def test_scikit_learn_ndcg_and_average_precision_of_the_order(case):
    judged = judge(case)
    graded, precise = ndcg(judged, k=CUTOFFS), ap(judged, k=np.array([np.inf]))
    for row, user in enumerate(judged.users.tolist()):
        items, rating, _ = truths(case, user)
        order = case.order(user)
        places = np.array([-order.index(item) for item in items])
        if len(items) > 1:  # it refuses lists of one
            theirs = [ndcg_score([rating], [places], k=k) for k in K]
            np.testing.assert_allclose(graded[row], theirs, rtol=0, atol=1e-9)
        if (rating >= 4).any():
            assert precise[row, 0] == pytest.approx(average_precision_score(rating >= 4, places), abs=1e-9)
        else:
            assert np.isnan(precise[row, 0])


@given(case=cases(values=FINITE))
def test_scikit_learn_auc_counts_ties_one_half(case):
    """Half way between test items first and test items last."""
    judged = judge(case)
    ours = (auc(judge(case, "optimistic")) + auc(judge(case, "pessimistic"))) / 2
    for row, user in enumerate(judged.users.tolist()):
        _, rating, scores = truths(case, user)
        if 0 < (rating >= 4).sum() < len(rating):
            assert ours[row] == pytest.approx(roc_auc_score(rating >= 4, scores), abs=1e-9)
        else:
            assert np.isnan(ours[row])
