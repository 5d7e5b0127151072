"""Candidates in the order that a language model put them in: places, ids that do not exist, and what is told."""

import json

import numpy as np
import pandas as pd
import pytest
import truerank as tr
from truerank.api.answers import ranks_of_answers
from truerank.cli import main
from truerank.provenance import generator

ITEMS = [f"i{n}" for n in range(30)]
TEST = {"a": ["i1"], "b": ["i2"], "c": ["i3"], "d": ["i4"]}
ANSWERS = {
    "a": ["i7", "made up", "i1", "i8", "i9"],  # second of those that exist
    "b": ["i2", "i2", "i9"],  # first, and listed twice
    "c": ["i7", "no such", "i9", "i11"],  # not listed
    "d": ["i9", "i8", "i7", "i4", "i9"],
    "nobody": ["i1"],
}


def test_places_are_those_among_ids_that_exist():
    seen, n_items, notes = ranks_of_answers(ANSWERS, TEST, ITEMS, 4)
    assert seen.rank.tolist() == [2, 1, 5, 4]
    assert seen.user is None
    assert n_items == 30
    assert "2 of 17 listed ids do not exist among the items and were left out" in notes
    assert "2 of 17 listed ids repeat one before and were left out" in notes
    assert "1 of 4 test items are not listed: they are taken as last, 5" in notes


def test_a_number_of_items_cannot_tell_which_exist():
    seen, n_items, notes = ranks_of_answers(ANSWERS, TEST, 30, 4)
    assert seen.rank.tolist() == [3, 1, 5, 4]
    assert n_items == 30
    assert any("cannot be detected" in note for note in notes)


def test_scores_order_too_and_users_may_have_several_tests():
    answers = pd.DataFrame({"user": ["a"] * 4, "item": ["i1", "i2", "i3", "i4"], "score": [0.1, 0.9, 0.2, 0.7]})
    seen, _, _ = ranks_of_answers(answers, {"a": ["i1", "i4"]}, ITEMS, 3)
    assert seen.rank.tolist() == [4, 2]
    assert seen.user.tolist() == [0, 0]


def test_mistakes_are_told():
    with pytest.raises(tr.UserError, match=r"the list of user 'a' has 4 different items, expected at most 3"):
        ranks_of_answers(ANSWERS, TEST, ITEMS, 2)
    with pytest.raises(tr.UserError, match="has no user of the test"):
        ranks_of_answers({"x": ["i1"]}, TEST, ITEMS, 4)


def test_bounds_and_corrections_take_answers(tmp_path, capsys):
    """Twenty candidates of each of 200 users, in random order; one in ten ids is made up."""
    rng = generator(1, "answers")
    items = np.array([f"i{n}" for n in range(500)])
    answers, test = {}, {}
    for user in range(200):
        shown = rng.choice(items, 20, replace=False)
        listed = [f"x{user}-{n}" if rng.random() < 0.1 else item for n, item in enumerate(rng.permutation(shown))]
        answers[f"u{user}"], test[f"u{user}"] = listed, [str(shown[0])]
    about = {"items": items, "negatives": 19, "test": test, "metrics": ["recall@50"]}
    bounds, corrected = tr.bounds(answers, **about), tr.correct(answers, **about, resamples=20)
    assert (
        bounds.bounds[["low", "high"]].to_numpy() == corrected.estimates[["bound_low", "bound_high"]].to_numpy()
    ).all()
    for found in (bounds, corrected):
        assert any("listed ids do not exist" in note for note in found.notes)
    rows = [(user, item, place) for user, listed in answers.items() for place, item in enumerate(listed, 1)]
    pd.DataFrame(rows, columns=["user", "item", "rank"]).to_csv(tmp_path / "answers.csv", index=False)
    pairs = [(user, item) for user, (item,) in test.items()]
    pd.DataFrame(pairs, columns=["user", "item"]).to_csv(tmp_path / "test.csv", index=False)
    (tmp_path / "items.csv").write_text("\n".join(items))
    words = [tmp_path / "answers.csv", "--test", tmp_path / "test.csv", "--items", tmp_path / "items.csv"]
    words += ["--negatives", "19", "--metric", "recall@50", "--json", tmp_path / "x.json"]
    assert main(["bounds", *map(str, words)]) == 0
    assert json.loads((tmp_path / "x.json").read_text()) == bounds.to_dict()
    assert "listed ids do not exist" in capsys.readouterr().out
    assert main(["correct", *map(str, words), "--resamples", "20"]) == 0
    assert "listed ids do not exist" in capsys.readouterr().out
