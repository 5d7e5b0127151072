"""Ranks of test items: counted by hand, the same from every form of scores, and those of a study."""

import json

import numpy as np
import pandas as pd
import pytest
import truerank as tr
from scipy import sparse
from truerank.artefacts import split
from truerank.cli import main
from truerank.core.ranking import rank as rank_in_study
from truerank.core.training import Trained
from truerank.models._core.base import Train
from truerank.models.run import Run

N_USERS, N_ITEMS = 9, 12


@pytest.fixture
def case():
    """Scores with ties, and training and test rows; the last user has no training row."""
    rng = np.random.default_rng(1)
    scores = rng.integers(0, 4, (N_USERS, N_ITEMS)).astype(float)
    kind = rng.choice(["train", "test", "none"], (N_USERS, N_ITEMS), p=[0.3, 0.3, 0.4])
    kind[-1][kind[-1] == "train"] = "none"
    kind[:, 0] = "test"
    rows = {name: pd.DataFrame(np.argwhere(kind == name), columns=["user", "item"]) for name in ("train", "test")}
    return scores, rows["train"], rows["test"]


def pool_of(rule, user, train, test):
    """Return the candidates of a user, one by one."""
    seen = set() if rule == "all" else set(train.item[train.user == user])
    items = set(test.item) if rule == "tested" else set(range(N_ITEMS))
    return items - seen


def limits(scores, train, test, rule):
    """Return the ranks that a test row may have: as if it were the first, and the last, of those with its score."""
    first, last, candidates = [], [], []
    for user, item in test.itertuples(index=False):
        pool = pool_of(rule, user, train, test)
        higher = sum(scores[user, other] > scores[user, item] for other in pool)
        same = sum(scores[user, other] == scores[user, item] for other in pool)
        first.append(1 + higher)
        last.append(higher + same)
        candidates.append(len(pool))
    return np.array(first), np.array(last), candidates


def test_ranks_are_those_counted_one_by_one(case):
    scores, train, test = case
    for rule in ("unseen", "all", "tested"):
        first, last, candidates = limits(*case, rule)
        for ties in ("random", "optimistic", "pessimistic"):
            found = tr.rank(scores, train, test, candidates=rule, ties=ties).ranks
            assert list(found) == ["user", "item", "rank", "candidates"]
            assert found[["user", "item"]].equals(test)
            assert found.candidates.tolist() == candidates
            assert ((found["rank"] >= first) & (found["rank"] <= last)).all()
            assert not found.duplicated(["user", "rank"]).any(), "test items of one score have places of their own"
            one = found.groupby("user")["rank"].transform("size") == 1
            place = {"optimistic": first, "pessimistic": last}.get(ties, found["rank"])
            assert (found["rank"] == place)[one].all()


def test_every_form_of_scores_gives_the_same_ranks(case, tmp_path):
    scores, train, test = case
    users, items = np.indices(scores.shape)
    table = pd.DataFrame({"user": users.ravel(), "item": items.ravel(), "score": scores.ravel()})
    shuffled = table.sample(frac=1, random_state=1)
    table.to_parquet(tmp_path / "scores.parquet")
    shuffled.to_csv(tmp_path / "scores.csv", index=False)
    shifted = sparse.csr_array(scores + 1)  # a stored 0 is easily lost
    by_user = {user: dict(enumerate(own)) for user, own in enumerate(scores.tolist())}
    forms = [scores.astype(np.float32), shifted, table, shuffled, by_user]
    forms += [tmp_path / "scores.parquet", tmp_path / "scores.csv"]
    for rule in ("unseen", "all", "tested"):
        expected = tr.rank(scores, train, test, candidates=rule, seed=3).ranks
        for form in forms:
            assert tr.rank(form, train, test, N_ITEMS, rule, seed=3).ranks.equals(expected), (rule, type(form))


def test_lists_are_scores_too_and_what_they_lack_comes_last():
    """Ann's candidates are a to e but b; c and e are not listed. Of the items that are in a test there are four."""
    lists, train, test = {"ann": ["b", "a", "d"]}, {"ann": ["b"]}, {"ann": ["c", "d", "e"], "bob": ["a"]}
    found = tr.rank(lists, train, test)
    assert found["rank"].tolist() == [4, 2, 3, 5]
    assert found["candidates"].tolist() == [4, 4, 4, 5]
    assert found.notes == ("1 of 2 users have no candidate with a score in scores: their items come last.",)
    assert tr.rank(lists, train, test, candidates="tested")["candidates"].tolist() == [4, 4, 4, 4]


def test_minus_infinity_in_an_array_is_no_score():
    scores = np.array([[-np.inf, 3.0, 2.0, -np.inf]])
    assert tr.rank(scores, None, {0: [0, 2]})["rank"].tolist() == [4, 2]


def test_ranks_are_those_of_a_study(case):
    scores, train, test = case
    scores = np.random.default_rng(1).permuted(np.arange(scores.size)).reshape(scores.shape)
    user, item = np.indices(scores.shape)
    given = user.ravel(), item.ravel(), scores.ravel()
    history = Train(train.user.to_numpy(), train.item.to_numpy(), N_USERS, N_ITEMS, given=given)
    model = Run(path="made")
    rows = split.TestRows(test.user.to_numpy(), test.item.to_numpy(), np.full(len(test), np.nan))
    for rule in ("unseen", "all", "tested"):
        trained = Trained({"kind": "run"}, model, model.fit(history, np.random.default_rng(1)))
        table, _ = rank_in_study(trained, history, rows, ("d", "s", "m"), seed=1, candidates=rule)
        found = tr.rank(scores, train, test, candidates=rule)
        assert found["rank"].tolist() == (1 + table.above + table.before).tolist()
        assert found["candidates"].tolist() == table.candidates.tolist()


def test_repeated_training_rows_are_one_item():
    test = {"a": ["x"], "b": ["y"]}
    train = pd.DataFrame({"user": ["a", "a", "b"], "item": ["z", "z", "w"]})
    assert tr.rank({"a": ["x"], "b": ["x", "y"]}, train, test)["candidates"].tolist() == [3, 3]
    assert tr.evaluate({"a": ["x"]}, test, "auc", train=train).per_user["auc@all"][0] == 1


def test_the_shell_prints_what_python_returns(case, tmp_path, capsys):
    scores, train, test = case
    users, items = np.indices(scores.shape)
    table = pd.DataFrame({"customer": users.ravel(), "item": items.ravel(), "score": scores.ravel()})
    table.to_csv(tmp_path / "scores.csv", index=False)
    train.rename(columns={"user": "customer"}).to_csv(tmp_path / "train.csv", index=False)
    test.rename(columns={"user": "customer"}).to_csv(tmp_path / "test.csv", index=False)
    files = [str(tmp_path / "scores.csv"), "--train", str(tmp_path / "train.csv"), "--test", str(tmp_path / "test.csv")]
    more = ["--items", "12", "--columns", "user=customer", "--candidates", "tested", "--ties", "pessimistic"]
    expected = tr.rank(scores, train, test, candidates="tested", ties="pessimistic")
    assert main(["rank", *files, *more, "--json", str(tmp_path / "ranks.json")]) == 0
    assert capsys.readouterr().out == expected.to_csv()
    assert json.loads((tmp_path / "ranks.json").read_text()) == expected.to_dict()
    assert main(["rank", *files, *more, "--csv", str(tmp_path / "ranks.csv")]) == 0
    assert (tmp_path / "ranks.csv").read_text() == expected.to_csv()
    assert f"{len(test)} ranks of {N_USERS} users" in capsys.readouterr().out


def test_mistakes_are_one_sentence(case):
    scores, train, test = case
    holed = np.where(scores == 3, np.nan, scores)
    for given, sentence in [
        ((scores, train, test, None, "seen"), "candidates is 'seen', expected one of: unseen, all, tested"),
        ((scores, train, test, None, "all", "first"), "ties is 'first'"),
        ((scores[0], train, test), "an array of float64 of shape"),
        ((scores.astype(str), train, test), "expected numbers, users x items"),
        ((holed, train, test), "found the score nan"),
        ((scores[:, :3], train, test), "are not among the 3 ids in items"),
        ((scores, test, test), "expected test items that are not in train"),
        ((scores, train, test[:0]), "test has no rows"),
        ((scores, scores, test), "train is an array of shape"),
        ((scores, train, test.assign(user=test.user + 99)), "have no user in common"),
    ]:
        with pytest.raises(tr.UserError, match=sentence):
            tr.rank(*given)
    assert len(tr.rank(scores, test, test, candidates="all")) == len(test), "all items are candidates, trained ones too"
