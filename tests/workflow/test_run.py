"""`truerank run`, `truerank init` and `truerank.run_study`: the workflow by its own command."""

import os
import signal
import subprocess
import sys

import pytest
import truerank as tr
import yaml
from truerank.errors import UserError
from truerank.stages.handing_over import FORKED

from tests.workflow.conftest import REPOSITORY, wait_for, write_ratings
from tests.workflow.test_interrupted import STOPPED

SUMMARY = "results/metrics/ratings/holdout/summary.parquet"
TRAIN = "results/splits/small/holdout/train.parquet"


def truerank(folder, *arguments, **options):
    command = [sys.executable, "-m", "truerank", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, **options)


def test_a_file_of_ratings_becomes_a_study_that_runs(tmp_path):
    write_ratings(tmp_path / "ratings.csv")
    assert truerank(tmp_path, "init", "ratings.csv").returncode == 0
    (tmp_path / "fewer.yaml").write_text("select: {ranking: {models: [random, popularity], metrics: [ndcg]}}\n")
    done = truerank(tmp_path, "run", "my.yaml", "fewer.yaml", "--cores", "2", "--", SUMMARY)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / SUMMARY).is_file()
    again = truerank(tmp_path, "run", "my.yaml", "fewer.yaml", "--cores", "1", "--", SUMMARY)
    nothing = "Nothing to do: all results are there and up to date."
    assert again.stderr.splitlines()[-1] == nothing
    at_once = truerank(tmp_path, "run", "my.yaml", "fewer.yaml", "--cores", "1", "--", SUMMARY)
    assert at_once.stderr.splitlines() == [nothing], "Snakemake, which would name its profile, is not asked"
    (tmp_path / SUMMARY).unlink()
    made = truerank(tmp_path, "run", "my.yaml", "fewer.yaml", "--cores", "1", "--", SUMMARY)
    assert made.returncode == 0, made.stderr
    assert (tmp_path / SUMMARY).is_file()


def test_python_runs_a_study_that_is_a_dict_and_tells_a_mistake(study, monkeypatch):
    config = study.config | {"datasets": {"small": study.config["datasets"]["small"] | {"path": "ratings.csv"}}}
    monkeypatch.setenv(FORKED, "1")
    assert tr.run_study(config, directory=study.folder, cores=1, options=[TRAIN]) == study.folder / "results"
    assert (study.folder / TRAIN).is_file()
    with pytest.raises(UserError, match=r"not finished: .*study\.yaml, line \d+: .*unknown key in the config 'sede'"):
        tr.run_study(config | {"sede": 1}, directory=study.folder)


def test_the_folder_is_held_while_it_runs_and_ctrl_c_ends_it_with_130(study):
    (study.folder / "study.yaml").write_text(yaml.safe_dump(study.config))
    command = [sys.executable, "-m", "truerank", "run", "study.yaml", "--cores", "1"]
    with open(study.folder / "run.log", "w") as log:
        run = subprocess.Popen(command, cwd=study.folder, stderr=log, stdout=log, start_new_session=True)
    try:
        wait_for(lambda: list((study.results / "logs").rglob("*.log")))
        second = truerank(study.folder, "run", "study.yaml", "--cores", "1")
        assert second.returncode == 1
        assert "another snakemake is at work in this folder" in second.stderr
        os.killpg(run.pid, signal.SIGINT)
        assert run.wait(60) == 130
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
    told = (study.folder / "run.log").read_text().splitlines()
    said = [line for line in told if not line.startswith(("Using workflow", "["))]
    assert [line for line in said if " jobs in " not in line] == [STOPPED], told


def test_the_work_folder_of_a_clone_is_never_the_clone(study):
    """Relative paths of a study are those of the folder that it runs in."""
    (study.folder / "study.yaml").write_text(yaml.safe_dump(study.config))
    done = truerank(REPOSITORY, "run", study.folder / "study.yaml", "--directory", study.folder, "--", "-n")
    assert done.returncode == 0, done.stderr
    assert "would run fetch_dataset small" in done.stderr
