"""Lists are judged as a study judges them, and as other tools do."""

import json
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
import truerank as tr
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, RR, Bpref, P, R, Success, nDCG
from truerank.artefacts import split
from truerank.core.evaluation import evaluate_by_rule
from truerank.core.ranking import rank
from truerank.core.training import Trained
from truerank.models._core.base import Train
from truerank.models.run import Run
from truerank.registry import METRICS

K = (1, 2, 3, 5, 10)
ITEMS = [f"i{number:02}" for number in range(14)]


@st.composite
def cases(draw, most_users=5):
    """Draw qrels and runs: lists of any length, of unknown items, of users not in the test, and users without one."""
    users = [f"u{number}" for number in range(draw(st.integers(1, most_users)))]
    rated = st.dictionaries(st.sampled_from(ITEMS), st.integers(0, 5), min_size=1, max_size=8)
    qrels = {user: draw(rated) for user in users}
    qrels[users[0]][ITEMS[0]] = 5  # some item is relevant, and listed
    listed = st.lists(st.sampled_from([*ITEMS, "new1", "new2", "new3"]), unique=True, max_size=14)
    lists = {user: draw(listed) for user in [*users, "stranger"] if draw(st.booleans())}
    lists[users[0]] = [ITEMS[0], *(item for item in draw(listed) if item != ITEMS[0])]
    return qrels, lists


def as_scores(lists):
    return {user: {item: float(len(own) - place) for place, item in enumerate(own)} for user, own in lists.items()}


@given(case=cases())
def test_per_user_values_are_those_of_trec_eval(case):
    qrels, lists = case
    measures = {f"{name}.{','.join(map(str, K))}" for name in ("P", "recall", "map_cut", "ndcg_cut", "success")}
    measures |= {"map", "recip_rank", "bpref", "ndcg"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures, relevance_level=4).evaluate(as_scores(lists))
    names = {"P": "precision", "recall": "recall", "map_cut": "map", "ndcg_cut": "ndcg_cut", "success": "hr"}
    asked = [f"{name}@{k}" for name in names.values() for k in K] + ["map", "mrr", "bpref@all", "ndcg_full@all"]
    ours = tr.evaluate(lists, qrels, asked, relevant_from=4).per_user.set_index("user").fillna(0)
    pairs = {f"{name}@{k}": f"{trec}_{k}" for trec, name in names.items() for k in K}
    pairs |= {"ap@all": "map", "rr@all": "recip_rank", "bpref@all": "bpref", "ndcg_full@all": "ndcg"}
    same = {"map": "ap", "ndcg_cut": "ndcg", "hr": "hit"}
    for asked_for, trec in pairs.items():
        name, _, k = asked_for.partition("@")
        column = f"{same.get(name, name)}@{k}"
        for user in qrels:
            expected = theirs[user][trec] if user in theirs else 0
            assert ours.loc[user, column] == pytest.approx(expected, abs=1e-9), (user, column)


@pytest.mark.slow
@given(case=cases())
def test_per_user_values_are_those_of_ir_measures(case):
    qrels, lists = case
    pairs = {f"precision@{k}": P(rel=4) @ k for k in K} | {f"recall@{k}": R(rel=4) @ k for k in K}
    pairs |= {f"ndcg@{k}": nDCG @ k for k in K} | {f"hit@{k}": Success(rel=4) @ k for k in K}
    pairs |= {f"rr@{k}": RR(rel=4) @ k for k in K} | {f"ap@{k}": AP(rel=4) @ k for k in K}
    pairs |= {"ap@all": AP(rel=4), "rr@all": RR(rel=4), "bpref@all": Bpref(rel=4)}
    ours = tr.evaluate(lists, qrels, list(pairs), relevant_from=4).per_user.set_index("user").fillna(0)
    for each in ir_measures.iter_calc(list(pairs.values()), qrels, as_scores(lists)):
        (column,) = (name for name, measure in pairs.items() if measure == each.measure)
        assert ours.loc[each.query_id, column] == pytest.approx(each.value, abs=1e-9), (each, column)


@pytest.mark.slow
@given(case=cases(most_users=4), seed=st.integers(0, 9))
@settings(max_examples=25, deadline=None)
def test_values_are_those_of_a_study_with_the_same_lists(case, seed):
    """The run goes through the study's own model, ranking and metrics, with training rows; codes are by sorted id."""
    qrels, lists = case
    rng = np.random.default_rng(seed)
    users = sorted(qrels)
    train = {u: {i: 3 for i in ITEMS if i not in qrels[u] and rng.random() < 0.3} for u in users}
    catalogue = [*ITEMS, "new1", "new2", "new3"]
    code = {item: number for number, item in enumerate(catalogue)}
    rows = [(n, code[i], rating) for n, u in enumerate(users) for i, rating in qrels[u].items()]
    user, item, rating = np.array(sorted(rows)).T
    trained = [(n, code[i]) for n, u in enumerate(users) for i in train[u]]
    train_user, train_item = np.array(sorted(trained), int).reshape(-1, 2).T
    listed = [(n, code[i], -float(place)) for n, u in enumerate(users) for place, i in enumerate(lists.get(u, []))]
    given_user, given_item, score = np.array(listed).T
    ratings = np.full(len(train_user), 3.0)
    outside = given_user.astype(int), given_item.astype(int), score
    history = Train(train_user, train_item, len(users), len(ITEMS), ratings, None, outside)
    model = Run(path="none")
    learnt = model.fit(history, rng)
    test = split.TestRows(user, item, rating.astype(float))
    table, _ = rank(Trained({"kind": "run"}, model, learnt), history, test, ("d", "s", "m"), 1)
    scale = (min(0.0, rating.min()), max(rating.max(), 3.0))
    alone = np.bincount(user, np.isinf(table.score)) <= 1  # two unlisted items of a user have no order
    names = [entry.name for entry in METRICS if entry.facts.needs == "ranks"]
    asked = [f"{name}@{k}" if METRICS[name].has_cutoff else name for name in names for k in (1, 3, 10, "all")]
    judged = table.judgements(history, scale)
    expected = evaluate_by_rule(judged, {name: {"kind": name} for name in names}, [1, 3, 10, "all"], {"threshold": 4})
    found = tr.evaluate(lists, qrels, asked, train, items=ITEMS, relevant_from=4).per_user
    for column in found.columns[1:]:
        np.testing.assert_allclose(found[column][alone], expected[column][alone], atol=1e-12, err_msg=column)


def test_an_unknown_item_keeps_its_place_and_is_told():
    test = {1: ["a"], 2: ["b"]}
    found = tr.evaluate({1: [*"0123456789", "a"], 2: ["b"]}, test, ["recall@10", "recall@11", "rr@all"])
    assert found.per_user["recall@10"].tolist() == [0, 1]
    assert found.per_user["recall@11"].tolist() == [1, 1]
    assert found.per_user["rr@all"].tolist() == [1 / 11, 1]
    assert found.notes == (
        "10 of 12 rows of run (83.3 %) have an item that is not in test: it keeps its position as a miss.",
    )
    assert tr.evaluate({1: [*"0123456789", "a"], 2: ["b"]}, test, "recall@10", items=99).notes == ()


def test_users_without_a_list_score_0_and_are_counted():
    found = tr.evaluate({1: ["a"], 9: ["b"]}, {1: ["a"], 2: ["b"], 3: ["a"]}, "recall@1")
    assert found.per_user["recall@1"].tolist() == [1, 0, 0]
    assert found.summary.users.tolist() == [3]
    assert "2 of 3 users are not in run: they score 0." in found.notes
    assert "1 of 2 rows of run are of users who are not in test." in found.notes


def test_training_items_are_passed_over_and_without_training_nothing_is():
    run, test = {1: ["x", "y", "a"]}, {1: ["a"]}
    assert tr.evaluate(run, test, "rr@all").summary.value[0] == pytest.approx(1 / 3)
    assert tr.evaluate(run, test, "rr@all", train={1: ["x", "y"]}).summary.value[0] == 1
    assert tr.evaluate(run, test, "rr@all", train={2: ["x", "y"]}).summary.value[0] == pytest.approx(1 / 3)
    assert tr.evaluate(run, test, "auc", train={1: ["x", "q"]}).summary.value[0] == pytest.approx(0)
    assert tr.evaluate(run, test, "auc", train={1: ["x", "q"]}, items=12).summary.value[0] == pytest.approx(8 / 9)


def test_relevance_is_told():
    run = {1: ["a", "b"]}
    assert tr.evaluate(run, {1: ["a"]}, "recall@1").notes == (
        "1 of 2 rows of run (50 %) have an item that is not in test: it keeps its position as a miss.",
    )
    assert "Relevant: rated 4 or more" in tr.evaluate(run, {1: {"a": 3, "b": 5}}, "recall@1").notes[0]
    assert tr.evaluate(run, {1: {"a": 3, "b": 5}}, "recall@1", relevant_from=3).summary.value[0] == 0.5
    assert (
        tr.evaluate(run, {1: {"a": 1, "b": 0}}, "recall@1").notes[0] == "Relevant: rated 1, of ratings that are 0 or 1."
    )
    assert tr.evaluate(run, {1: {"a": 1, "b": 1}}, "recall@1").notes == ()


def test_undefined_users_and_confidence():
    run, test = {u: ["a"] for u in range(9)}, {u: {"a": 5 if u else 2, "b": 1} for u in range(9)}
    zero, drop = (tr.evaluate(run, test, "recall@1", undefined_users=policy).summary for policy in ("zero", "drop"))
    assert (zero.value[0], zero.users[0], zero.undefined[0]) == (pytest.approx(8 / 9), 9, 1)
    assert (drop.value[0], drop.users[0], drop.undefined[0]) == (1, 8, 1)
    wide = tr.evaluate(run, test, "recall@1", confidence=0.99).summary
    assert wide.ci_low[0] < zero.ci_low[0]


def test_variants_of_the_defaults_are_known():
    run, test = {1: ["a", "b"]}, {1: {"a": 5, "b": 3}}
    found = tr.evaluate(run, test, ["ndcg_binary@2", "NDCG_exponential@2", "rbp_95@2"])
    assert found.summary.metric.tolist() == ["ndcg_binary", "ndcg_exponential", "rbp_95"]
    assert found.summary.k.tolist() == ["2", "2", "2"]


def test_per_user_values_are_those_of_ranx():
    """Of the cases that make_ranx_values.py asked it about; a user without a list has 0 there, too."""
    names = {"precision": "precision", "recall": "recall", "hit_rate": "hit", "mrr": "rr", "map": "ap", "f1": "f1"}
    whole = {"map": "ap@all", "mrr": "rr@all", "bpref": "bpref@all", "rbp.95": "rbp_95@all"}
    pairs = {f"{theirs}@{k}": f"{own}@{k}" for theirs, own in (names | {"ndcg": "ndcg_binary"}).items() for k in K}
    pairs |= whole
    compared = 0
    for case in json.loads(Path(__file__).with_name("ranx_values.json").read_text()):
        found = tr.evaluate(case["lists"], case["qrels"], list(pairs.values()), relevant_from=1).per_user
        ours = found.set_index("user").fillna(0)
        for theirs, own in pairs.items():
            for user, value in case["ranx"][theirs].items():
                if value is None:  # ranx divides 0 by 0 where no item is judged and not relevant; trec_eval does not
                    assert theirs == "bpref"
                    assert 0 not in case["qrels"][user].values()
                    continue
                assert ours.loc[user, own] == pytest.approx(value, abs=1e-8), (theirs, user, case)
                compared += 1
    assert compared > 1000


def test_results_show_and_save_themselves(tmp_path):
    found = tr.evaluate({1: ["a", "b"]}, {1: ["a"], 2: ["b"]}, ["recall@1", "dcg@all"])
    assert list(found.frames) == ["summary"]
    assert found.to_dict()["summary"][0]["k"] == "1"
    found.to_csv(tmp_path / "users.csv", "per_user")
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "users.csv"), found.per_user)
    assert "recall" in found.to_html()
    assert found.summary.ci_high[1] <= 1.631, "dcg is bounded by what two items can gain"
