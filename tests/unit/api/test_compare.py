"""Models compared by their lists: the numbers of each alone, and every two paired by user."""

import json

import numpy as np
import pandas as pd
import pytest
import truerank as tr
from truerank.cli import main
from truerank.core.comparing import PAIRS, SUMMARY, Scores, compare_paired
from truerank.provenance import generator

from tests.support import for_each
from tests.unit.test_cli import assert_one_sentence


@pytest.fixture(scope="module")
def data():
    """Lists of 80 users by three models, and what they took."""
    rng = generator(1, "compared lists")
    test = {u: sorted(rng.choice(30, 3, replace=False).tolist()) for u in range(80)}
    runs = {}
    for name, luck in (("good", 0.6), ("fair", 0.3), ("poor", 0.0)):
        runs[name] = {}
        for u in range(80):
            items = rng.permutation(30).tolist()
            front = [i for i in test[u] if rng.random() < luck]
            runs[name][u] = (front + [i for i in items if i not in front])[:10]
    del runs["poor"][7], runs["poor"][8]
    return runs, test


def test_summaries_are_those_of_each_model_and_pairs_those_of_the_test(data):
    runs, test = data
    found = tr.compare(runs, test, ["ndcg@5", "hr@3"])
    assert list(found.summary.columns) == SUMMARY
    assert list(found.pairs.columns) == PAIRS
    values = {name: tr.evaluate(run, test, ["ndcg@5", "hit@3"]) for name, run in runs.items()}
    for name, alone in values.items():
        own = found.summary[found.summary.model == name].drop(columns="model").reset_index(drop=True)
        pd.testing.assert_frame_equal(own, alone.summary)
    tables = [np.column_stack([own.per_user[c] for own in values.values()]) for c in ("ndcg@5", "hit@3")]
    scores = [Scores(t, m, k, 0.0, 1.0) for t, m, k in zip(tables, ("ndcg", "hit"), ("5", "3"), strict=True)]
    expected = compare_paired(list(runs), scores, generator(1, "compare"))
    pd.testing.assert_frame_equal(found.pairs, expected.pairs)
    assert found.power.dp.tolist() == pytest.approx(found.pairs.groupby("metric", sort=False).p_value.sum().tolist())
    assert found.power.separated.tolist()[0] >= 1
    assert found.notes == ("hr is hit.", "2 of 80 users are not in poor: they score 0.")
    assert list(found.frames) == ["summary", "pairs", "power"]
    assert len(found.frame("per_user")) == 240
    assert found.frame().equals(found.summary)


def test_a_seed_and_the_order_of_rows(data):
    runs, test = data
    frames = {
        name: pd.DataFrame(
            [(u, i, p) for u, own in run.items() for p, i in enumerate(own, 1)], columns=["user", "item", "rank"]
        )
        for name, run in runs.items()
    }
    rows = pd.DataFrame([(u, i) for u, own in test.items() for i in own], columns=["user", "item"])
    one = tr.compare(frames, rows, "ndcg@5")
    other = tr.compare(frames, rows.sample(frac=1, random_state=1), "ndcg@5")
    pd.testing.assert_frame_equal(one.pairs, other.pairs)
    assert tr.compare(frames, rows, "ndcg@5", seed=2).pairs.p_value[0] != one.pairs.p_value[0]


@pytest.fixture
def files(data, tmp_path, monkeypatch):
    runs, test = data
    monkeypatch.chdir(tmp_path)
    for name, run in runs.items():
        rows = [f"{u},{i},{place}" for u, own in run.items() for place, i in enumerate(own, start=1)]
        (tmp_path / f"{name}.csv").write_text("customer,sku,position\n" + "\n".join(rows) + "\n")
    rows = [f"{u},{i}" for u, own in test.items() for i in own]
    (tmp_path / "bought.csv").write_text("customer,sku\n" + "\n".join(rows) + "\n")
    return tmp_path


COLUMNS = ["--columns", "user=customer,item=sku,rank=position"]
BASE = ["--test", "bought.csv", *COLUMNS, "--items", "30"]


@for_each(
    "words",
    [
        [*BASE, "v1=good.csv", "v2=poor.csv", "--metrics", "ndcg@5", "recall@3"],
        [*BASE, "--metrics", "ndcg@5", "recall@3", "v1=good.csv", "v2=poor.csv"],
        ["v1=good.csv", *BASE, "--metric", "ndcg@5", "--metric", "recall@3", "v2=poor.csv"],
        ["v1=good.csv", "--metrics", "ndcg@5", "v2=poor.csv", *BASE, "--metrics", "recall@3"],
    ],
)
def test_a_word_with_an_equals_sign_is_a_run_wherever_it_stands(files, data, capsys, words):
    runs, test = data
    assert main(["compare", *words, "--json", "out.json", "--html", "out.html"]) == 0
    found = json.loads((files / "out.json").read_text())
    expected = tr.compare({"v1": runs["good"], "v2": runs["poor"]}, test, ["ndcg@5", "recall@3"], items=30)
    assert found == json.loads(expected.to_json())
    assert [list(row) for row in found["pairs"]] == [PAIRS] * 2
    assert "<table" in (files / "out.html").read_text()
    told = capsys.readouterr().out
    assert told.startswith("80 users of bought.csv, 95% intervals\nmetric    model   value          interval  users")
    assert f"{expected.pairs.difference[0]:.4f}" in told
    assert "2 of 80 users are not in poor.csv: they score 0." in told
    assert "sign-flip test (seed 1); Holm and FDR over the pairs under each metric" in told


def test_evaluate_from_the_shell(files, data, capsys):
    words = ["--metrics", "ndcg@5", "MRR", "--per-user", "users.csv", "--json", "out.json"]
    assert main(["evaluate", "good.csv", *BASE, *words]) == 0
    told = capsys.readouterr().out
    expected = tr.evaluate(data[0]["good"], data[1], ["ndcg@5", "mrr"], items=30)
    assert json.loads((files / "out.json").read_text()) == json.loads(expected.to_json())
    pd.testing.assert_frame_equal(pd.read_csv("users.csv"), expected.per_user)
    assert "MRR is rr@all." in told
    assert f"{expected.summary.value[0]:.4f}" in told
    assert main(["evaluate", *BASE, "--metrics", "ndcg@5", "m=good.csv"]) == 0


@for_each(
    ("words", "sentence"),
    [
        (["good.csv", "poor.csv", *BASE], "--metrics is missing, expected names such as ndcg@10"),
        (["good.csv", "poor.csv", "--metrics", "ndcg@5"], "--metrics is for lists, which need --test"),
        (
            ["good.csv", "poor.csv", *BASE, "--metrics", "ndcg@5", "--independent"],
            "--independent is for files of values",
        ),
        (["good.csv", *BASE, "--metrics", "ndcg@5"], "good.csv is the only file, expected two or more"),
        (["good.csv", "poor.csv", *BASE, "--metrics", "ndgc@5"], "unknown metric 'ndgc', did you mean 'ndcg'?"),
        (["good.csv", "poor.csv", *BASE, "--metrics", "ndcg"], "metric 'ndcg' cannot be read, expected ndcg@10"),
        (["good.csv", "none.csv", *BASE, "--metrics", "ndcg@5"], "none.csv does not exist"),
        (["good.csv", "poor.csv", *BASE, "--metrics", "ndcg@5", "--html", "no/out.html"], "no is not a folder"),
        (
            ["good.csv", "poor.csv", *BASE, "--metrics", "ndcg@5", "--json", "."],
            ". cannot be written: it is not a file",
        ),
        (
            ["good.csv", "poor.csv", *BASE, "--metrics", "ndcg@5", "--columns", "user"],
            "--columns is 'user', expected ROLE",
        ),
        (
            ["good.csv", "poor.csv", *BASE, "--metrics", "ndcg@5", "--confidence", "2"],
            "--confidence is 2, expected more",
        ),
        (
            ["good.csv", "poor.csv", *BASE, "--metrics", "ndcg@5", "--items", "9"],
            "items is 9, but test, training and lists",
        ),
        (
            ["good.csv", "poor.csv", "--test", "bought.csv", "--metrics", "ndcg@5"],
            "bought.csv, column of user: unknown column",
        ),
    ],
)
def test_mistakes_in_the_shell_are_one_sentence(files, capsys, words, sentence):
    assert main(["compare", *words]) == 1
    assert_one_sentence(capsys, sentence)


def test_runs_have_to_be_two(data):
    with pytest.raises(tr.UserError, match=r"runs is 1 model\(s\), expected a dictionary of two or more"):
        tr.compare({"one": data[0]["good"]}, data[1], "ndcg@5")
    with pytest.raises(tr.UserError, match="runs is of type list"):
        tr.compare([data[0]["good"]], data[1], "ndcg@5")
