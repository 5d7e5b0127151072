"""Formats of other tools: RecBole's atomic files, TREC's qrels; and filters that any dataset may have."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.config.checks import check_config
from truerank.datasets._core.cleaning import narrowed
from truerank.datasets._core.interactions import Context, Interactions
from truerank.datasets.file import file
from truerank.datasets.files import files
from truerank.datasets.recbole import recbole
from truerank.errors import UserError
from truerank.provenance import generator

from tests.support import default_study

CONTEXT = Context("mine", generator(1))
INTER = (
    "user_id:token\titem_id:token\trating:float\ttimestamp:float\treview:token_seq\n"
    "u1\ti2\t4\t881250949\tso good\nu2\ti1\t3.5\t891717742\t\n"
)
USER = "user_id:token\tage:float\tjob:token\tvec:float_seq\nu1\t24\twriter\t1.0 2.0\nu2\t\t\t\nu3\t9\tx\t1\n"
ITEM = "item_id:token\tclass:token_seq\ni1\tDrama Comedy\n"


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"x.inter": INTER, "x.user": USER, "x.item": ITEM}.items():
        Path(name).write_text(text)
    return tmp_path


def test_atomic_files(work):
    rows = recbole(CONTEXT, inter="x.inter", user="x.user", item="x.item", scale=[1, 5])
    assert rows.users == {"id": ["u1", "u2"], "age": [24, None], "job": ["writer", None]}
    assert rows.items == {"id": ["i1", "i2"], "class": ["Drama|Comedy", None]}
    assert rows.rating.tolist() == [4, 3.5]
    assert rows.timestamp.tolist() == [881250949, 891717742]


def test_atomic_files_without_ratings_and_with_other_names(work):
    Path("x.inter").write_text("uid:token\tiid:token\nb\t1\na\t1\n")
    rows = recbole(CONTEXT, inter="x.inter", user_id="uid", item_id="iid")
    assert rows.users["id"] == ["a", "b"]
    assert np.isnan(rows.rating).all()


@pytest.mark.parametrize("key", ["rating", "timestamp"])
def test_a_field_that_was_named_has_to_be_there(work, key):
    with pytest.raises(UserError, match=rf"x.inter: found the fields .*, expected {key}s; correct `{key}`"):
        recbole(CONTEXT, inter="x.inter", **{key: f"{key}s"})


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("x.inter", INTER.replace(":token_seq", ""), "expected name:type cells"),
        ("x.inter", INTER.replace("user_id", "uid"), "found the fields uid, .* expected user_id"),
        ("x.inter", INTER.replace("3.5", "much"), "x.inter, line 3: found rating 'much'"),
        ("x.inter", INTER + "u1\ti2\t4\t1\t\n", "more than once"),
        ("x.user", USER.replace("user_id", "uid"), "x.user: found the fields uid"),
        ("x.user", USER + "u9\t1\n", "x.user, line 5: found 2 fields, expected 4"),
    ],
    ids=["no types", "no user", "no number", "twice", "no id", "cut off"],
)
def test_atomic_files_with_mistakes(work, name, text, told):
    Path(name).write_text(text)
    with pytest.raises(UserError, match=told):
        recbole(CONTEXT, inter="x.inter", user="x.user", item="x.item")


def test_qrels_are_the_test_part_of_a_table(work):
    Path("train.csv").write_text("user,item,rating\nu1,d1,5\nu2,d1,2\n")
    Path("test.qrels").write_text("u1 0 d2  2\nu1\t0\td3\t0\n")
    columns = {"user": "user", "item": "item", "rating": "rating"}
    rows = files(CONTEXT, train="train.csv", test="test.qrels", columns=columns)
    assert rows.part.tolist() == [False, True, True, False]
    assert rows.rating.tolist() == [5, 2, 0, 2]
    Path("train.txt").write_text("u1 0 d1 5\nu2 0 d1 2\n")
    one = file(CONTEXT, path="train.txt", format="qrels")
    assert one.rating.tolist() == [5, 2]
    Path("test.qrels").write_text("u1 0 d2 2\nu1 d3 0\n")
    with pytest.raises(UserError, match=r"test.qrels, line 2: found 3 fields, expected 4"):
        files(CONTEXT, train="train.csv", test="test.qrels", columns=columns)


def test_columns_that_are_known_are_not_to_be_named_and_others_are(work):
    Path("a.qrels").write_text("u1 0 d2 2\nu1 0 d1 0\n")
    Path("b.qrels").write_text("u1 0 d3 2\n")
    Path("a.csv").write_text("user,item\nu1,d9\n")
    assert file(CONTEXT, path="a.qrels").rating.tolist() == [0, 2]
    assert files(CONTEXT, train="a.qrels", test="b.qrels").part.tolist() == [False, False, True]
    for read in (
        lambda columns: file(CONTEXT, path="a.qrels", columns=columns),
        lambda columns: files(CONTEXT, train="a.qrels", test="b.qrels", columns=columns),
    ):
        with pytest.raises(
            UserError, match=r"datasets.mine.columns is given, but those of a.qrels \(qrels\) are known"
        ):
            read({"user": 0, "item": 2})
    with pytest.raises(
        UserError, match=r"a.csv: the setting `columns` is missing, .* add it, such as `columns: {user:"
    ):
        files(CONTEXT, train="a.csv", test="b.qrels")


def test_qrels_of_ranx(work):
    Path("a.json").write_text('{"u1": {"d2": 2, "d1": 0},\n "u2": {"d1": 1.5}}')
    rows = file(CONTEXT, path="a.json")
    assert [rows.pair_ids(row) for row in range(3)] == [("u1", "d1"), ("u1", "d2"), ("u2", "d1")]
    assert rows.rating.tolist() == [0, 2, 1.5]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"u": {"a": 1}', r"a.json is not valid JSON \(.*line 1.*\), expected"),
        ("[" * 100_000, "a.json is not valid JSON"),
        ('{"u": [["a", 1]]}', "JSON of another form"),
        ('["u"]', "JSON of another form"),
        ("{}", "a.json: found no rows"),
        ('{"u": {"a": "much"}}', "a.json, entry 1: found rating 'much'"),
        ('{"u": {"a": 1, "b": NaN}}', "a.json, entry 2: found rating 'nan'"),
        ('{"u": {"a": null}}', "a.json, entry 1: found rating ''"),
        ('{"u": {"": 1}}', "a.json, entry 1: found an empty item id"),
        (
            r'{"u": {"a": 1, "\ud83d": 1}}',
            r"a.json, entry 2: found \['u', '\\ud83d', '1'\], which has half a surrogate pair",
        ),
        (r'{"u": {"a": "\udc00"}}', "a.json, entry 1: found .* which has half a surrogate pair"),
        ('{"u": {"a": 1}, "u": {"a": 2}}', "a.json, entries 1 and 2: found the pair"),
    ],
)
def test_mistakes_in_qrels_of_ranx(work, text, told):
    Path("a.json").write_text(text)
    with pytest.raises(UserError, match=told):
        file(CONTEXT, path="a.json")


pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=30)


@given(pairs, st.integers(1, 5), st.integers(1, 4))
def test_filters_do_what_they_say(triples, threshold, per_user):
    """The oracle: a set of pairs, filtered by hand."""
    triples = list({(user, item): (user, item, rating) for user, item, rating in triples}.values())
    user, item, rating = np.array(triples).T
    ids = {"id": [str(number) for number in range(6)]}
    rows = Interactions(
        user.astype(np.int32), item.astype(np.int32), rating.astype(np.float32), np.zeros(len(user), int), ids, ids
    )
    liked = {(str(u), str(i)) for u, i, r in triples if r >= threshold}
    left = {(u, i) for u, i in liked if sum(v == u for v, _ in liked) >= per_user}
    if not left:
        with pytest.raises(UserError, match=r"datasets.mine.(implicit_threshold|per_user) is"):
            narrowed(rows, "mine", implicit_threshold=threshold, per_user=per_user)
        return
    found = narrowed(rows, "mine", implicit_threshold=threshold, per_user=per_user)
    assert {found.pair_ids(row) for row in range(len(found))} == left
    assert len(found) == len(left)
    assert np.isnan(found.rating).all()
    assert len(found.users["id"]) == len({u for u, _ in left})
    assert found.notes["rows_below_threshold"] + found.notes["rows_of_users_with_few"] == len(rows) - len(left)


def test_any_dataset_may_be_filtered_but_not_one_that_comes_split():
    study = default_study()
    study["datasets"]["ml-100k"] |= {"implicit_threshold": 4, "per_user": 5, "core": 2}
    check_config(study)
    study["datasets"]["yelp"] = {"source": "yelp", "core": 2}
    with pytest.raises(UserError, match=r"datasets.yelp.*core"):
        check_config(study)
