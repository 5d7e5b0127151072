"""A system of somebody else's as a row of the study: read from its file, judged like any other, read if it changes."""

import shutil

import pandas as pd
import pytest

from tests.workflow.conftest import Study

METRICS = "results/metrics/small/holdout/per_user.parquet"
RERUN = {"train_model", "rank_shard", "rank_items", "evaluate_shard", "evaluate_metrics"}


@pytest.fixture
def theirs(once, tmp_path):
    """A study in which the popular items, written down by somebody as a TREC run, are on trial beside popularity."""

    def configured(folder):
        study = Study(folder)
        study.config["models"] |= {"theirs": {"kind": "run", "path": "{dataset}-{split}.txt"}}
        study.config["select"]["ranking"]["models"] = ["popularity"]
        return study

    listed = once("listed", lambda folder: configured(folder).done("results/lists/small/holdout/popularity.parquet"))
    shutil.copytree(listed, tmp_path / "study", symlinks=True)
    study = configured(tmp_path / "study")
    study.config["select"]["ranking"]["models"] = ["popularity", "theirs"]
    return study


def run_of(study, places):
    """Return the first places of the popular lists as a TREC run with the dataset's own ids."""
    lists = pd.read_parquet(study.results / "lists/small/holdout/popularity.parquet")
    names = {
        name: pd.read_parquet(study.results / f"datasets/small/{name}s.parquet")["id"] for name in ("user", "item")
    }
    lists = lists[lists["position"] <= places]
    return "".join(
        f"{names['user'][row.user]} Q0 {names['item'][row.item]} {row.position} {row.score} theirs\n"
        for row in lists.itertuples()
    )


def values(study):
    table = pd.read_parquet(study.folder / METRICS).set_index("user")
    return [table[table["model"] == model].drop(columns="model") for model in ("popularity", "theirs")]


def test_a_run_is_judged_like_the_model_that_wrote_it_and_read_again_when_it_changes(theirs):
    file = theirs.folder / "small-holdout.txt"
    file.write_text(run_of(theirs, 30))
    theirs.done(METRICS)
    ours, read = values(theirs)
    pd.testing.assert_frame_equal(ours, read)
    assert theirs.done("--dry-run", METRICS).stderr.count("would run ") == 0

    file.write_text(run_of(theirs, 2))
    told = theirs.done("--dry-run", METRICS).stderr.splitlines()
    again = {line.removeprefix("would run ").partition(":")[0] for line in told if line.startswith("would run ")}
    assert {job.split()[0] for job in again} == RERUN
    assert not [job for job in again if "popularity" in job]

    theirs.done(METRICS)
    ours, read = values(theirs)
    assert (read["recall@1"].dropna() == ours["recall@1"].dropna()).all()
    assert (read["recall@5"] < ours["recall@5"]).any()
    assert (read["precision@5"].dropna() * 5 <= 2).all(), "two are listed, so no third can be a hit"
    lists = pd.read_parquet(theirs.results / "lists/small/holdout/theirs.parquet")
    assert lists["position"].max() == 2


def test_a_run_that_is_not_there_is_told_before_anything_runs(theirs):
    run = theirs.run(METRICS)
    assert run.returncode != 0
    assert "models.theirs.path is 'small-holdout.txt', which does not exist in" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_mistake_in_a_run_is_one_sentence_with_its_line(theirs):
    theirs.config["models"]["theirs"]["unknown"] = "error"
    (theirs.folder / "small-holdout.txt").write_text(run_of(theirs, 2) + "nobody Q0 i1 1 3 theirs\n")
    run = theirs.run(METRICS)
    assert run.returncode != 0
    assert "small-holdout.txt, line 81: found the user 'nobody', which small does not have" in run.stderr
    assert "Traceback" not in run.stderr


def test_unknown_items_keep_their_places_and_the_page_tells_how_many(theirs):
    above = "".join(
        f"{line.split()[0]} Q0 x{line.split()[0]} 1 1e6 theirs\n" for line in run_of(theirs, 1).splitlines()
    )
    (theirs.folder / "small-holdout.txt").write_text(above + run_of(theirs, 3))
    theirs.done(METRICS, "results/verdict/small.json")
    ours, read = values(theirs)
    assert (read["recall@1"].dropna() == 0).all()
    assert (read["recall@5"].dropna() <= ours["recall@5"].dropna()).all()
    assert "40 of 160 items that theirs recommends (25" in theirs.shown("leaderboard")
