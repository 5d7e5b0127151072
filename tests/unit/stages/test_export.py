"""Exported files: what trec_eval reads out of them is what the study found, and what they hold can be read again."""

import re

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from truerank.artefacts.files import write_table
from truerank.cli import main
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.reading.run import RunFile
from truerank.errors import UserError
from truerank.export import export, falling


@pytest.fixture
def results(tmp_path):
    """Two users, four items, two models; one score is tied and in the lists of "b" the better item comes second."""
    folder = tmp_path / "results"
    tables = {
        "datasets/toy/users": {"code": [0, 1], "id": ["ann", "bob 100%"]},
        "datasets/toy/items": {"code": [0, 1, 2, 3], "id": ["i0", "i1", "i 2", "i3"]},
        "splits/toy/holdout/test": {"user": [0, 0, 1], "item": [1, 2, 3], "rating": np.array([5, 2, np.nan])},
        "lists/toy/holdout/a": {
            "user": [0, 0, 0, 1, 1],
            "position": [1, 2, 3, 1, 2],
            "item": [1, 2, 0, 3, 0],
            "score": np.array([0.5, 0.5, 0.5, 2, 1], np.float32),
        },
        "lists/toy/holdout/b": {
            "user": [0, 0, 1, 1],
            "position": [1, 2, 1, 2],
            "item": [0, 1, 0, 3],
            "score": np.array([3, 2, 1, 1], np.float32),
        },
        "metrics/toy/holdout/per_user": {"model": ["a", "a"], "user": [0, 1], "rr@all": [1.0, np.nan]},
        "metrics/toy/holdout/summary": {
            "model": ["a"],
            "metric": ["rr"],
            "k": ["all"],
            "value": [0.51234567],
            "ci_low": [0.0],
            "ci_high": [1.0],
            "users": [2],
            "undefined": [1],
        },
    }
    for name, columns in tables.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_table(folder / f"{name}.parquet", columns)
    return folder


def lines(path):
    return path.read_text().splitlines()


def test_places_of_unknown_items_are_kept(results, tmp_path):
    table = {"user": [0, 0, 1, 1], "position": [3, 4, 1, 3], "item": [1, 2, 3, 0]}
    write_table(results / "lists/toy/holdout/a.parquet", table | {"score": np.array([2, 2, 2, 1], np.float32)})
    list(export(results, tmp_path / "out"))
    run = [line.split(" ") for line in lines(tmp_path / "out/toy/holdout/a.run")]
    assert [row[2:4] for row in run] == [
        *(["%unknown-1", "1"], ["%unknown-2", "2"], ["i1", "3"], ["i%202", "4"]),
        *(["i3", "1"], ["%unknown-2", "2"], ["i0", "3"]),
    ]
    ann = [float(row[4]) for row in run[:4]]
    assert sorted(set(ann), reverse=True) == ann
    qrels = {"ann": {"i1": 5}}
    judge = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"})
    assert judge.evaluate({"ann": {row[2]: float(row[4]) for row in run[:4]}})["ann"]["recip_rank"] == pytest.approx(
        1 / 3
    )


def test_files(results, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["export", str(results), "--to", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}/toy/holdout: qrels of 2 users (relevance is the rating), 2 runs\n"
    folder = out / "toy" / "holdout"
    assert lines(folder / "test.qrels") == ["ann 0 i1 5", "ann 0 i%202 2", "bob%20100%25 0 i3 1"]
    run = [line.split(" ") for line in lines(folder / "a.run")]
    assert [row[:4] for row in run] == [
        ["ann", "Q0", "i1", "1"],
        ["ann", "Q0", "i%202", "2"],
        ["ann", "Q0", "i0", "3"],
        ["bob%20100%25", "Q0", "i3", "1"],
        ["bob%20100%25", "Q0", "i0", "2"],
    ]
    assert {row[5] for row in run} == {"a"}
    per_user = pd.read_csv(folder / "per_user.csv")
    assert per_user["user"].tolist() == ["ann", "bob 100%"]
    assert per_user["rr@all"].isna().tolist() == [False, True]
    assert pd.read_csv(folder / "summary.csv")["value"].tolist() == [0.51234567]
    assert r"\begin{tabular}" in (folder / "summary.tex").read_text()
    assert "0.5123 " in (folder / "summary.tex").read_text()


def test_trec_eval_finds_the_same_order(results, tmp_path):
    list(export(results, tmp_path / "out", threshold=4))
    folder = tmp_path / "out" / "toy" / "holdout"
    with open(folder / "test.qrels") as file:
        judged = pytrec_eval.parse_qrel(file)
    assert judged["ann"] == {"i1": 1, "i%202": 0}
    found = {}
    for model in "ab":
        with open(folder / f"{model}.run") as file:
            values = pytrec_eval.RelevanceEvaluator(judged, {"recip_rank"}).evaluate(pytrec_eval.parse_run(file))
        found[model] = [values[user]["recip_rank"] for user in sorted(values)]
    assert found == {"a": [1, 1], "b": [0.5, 0.5]}


def test_a_run_can_be_read_again(results, tmp_path):
    list(export(results, tmp_path / "out"))
    user, item, score, users, items = RunFile(tmp_path / "out/toy/holdout/a.run", Layout(None, "auto")).read()
    assert [users[u] for u in user] == ["ann"] * 3 + ["bob%20100%25"] * 2
    assert [items[i] for i in item] == ["i1", "i%202", "i0", "i3", "i0"]
    assert (np.diff(score.astype(np.float32))[[0, 1, 3]] < 0).all()


def test_half_stars_need_a_threshold(results, tmp_path, capsys):
    write_table(results / "splits/toy/holdout/test.parquet", {"user": [0], "item": [1], "rating": [3.5]})
    assert main(["export", str(results), "--to", str(tmp_path / "out")]) == 1
    assert "ratings such as 3.5" in capsys.readouterr().err
    assert main(["export", str(results), "--to", str(tmp_path / "out"), "--threshold", "3.5"]) == 0
    assert lines(tmp_path / "out/toy/holdout/test.qrels") == ["ann 0 i1 1"]


def test_names_with_blanks_and_brackets(results, tmp_path):
    for path in results.glob("*/toy"):
        path.rename(path.with_name("a[b] *"))
    path = results / "lists/a[b] */holdout/a.parquet"
    path.rename(path.with_stem("my model"))
    assert [line.rpartition("),")[2] for line in export(results, tmp_path / "out", threshold=4)] == [" 2 runs"]
    run = lines(tmp_path / "out/a[b] */holdout/my model.run")
    assert {tuple(line.split()[5:]) for line in run} == {("my%20model",)}


@pytest.mark.parametrize("to", ["/proc/nope", "results/splits/toy/holdout/test.parquet/x"])
def test_a_folder_that_cannot_be_written_is_one_sentence(results, tmp_path, monkeypatch, capsys, to):
    monkeypatch.chdir(tmp_path)
    assert main(["export", str(results), "--to", to]) == 1
    assert re.fullmatch(r"truerank: \S+ cannot be used: .*; give .* that can be written\n", capsys.readouterr().err)


def test_results_without_ids_are_one_sentence(results, tmp_path, capsys):
    (results / "datasets/toy/users.parquet").unlink()
    assert main(["export", str(results), "--to", str(tmp_path / "out")]) == 1
    assert "users.parquet does not exist, expected the ids of users" in capsys.readouterr().err
    (results / "metrics/toy/holdout/summary.parquet").unlink()
    write_table(results / "datasets/toy/users.parquet", {"code": [0, 1], "id": ["ann", "bob"]})
    assert main(["export", str(results), "--to", str(tmp_path / "out")]) == 1
    assert "summary.parquet" in capsys.readouterr().err


def test_no_results_is_one_sentence(tmp_path):
    with pytest.raises(UserError, match=r"has no splits/\*/\*/test.parquet; give the results folder"):
        list(export(tmp_path, tmp_path / "out"))


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from([1.0, 1.0 + 1e-9, 0.5, -3.0, 0.0])), max_size=20))
def test_scores_fall_and_move_as_little_as_can_be(rows):
    rows.sort(key=lambda row: (row[0], -row[1]))
    user, score = np.array([u for u, _ in rows], int), np.array([s for _, s in rows], float)
    result = falling(user, score)
    assert result.dtype == np.float32
    for place in range(1, len(rows)):
        if user[place] == user[place - 1]:
            assert result[place] < result[place - 1]
    np.testing.assert_allclose(result, score, atol=1e-5)
