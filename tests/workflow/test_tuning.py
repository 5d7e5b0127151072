"""Settings that are searched for: what comes out, and that a search which is killed ends as if it had not been."""

import json
import shutil

import pyarrow.parquet as pq
import pytest

from tests.workflow.conftest import METRICS, kill_tree, wait_for

MODEL = "results/models/small/holdout/ials/model.npz"
MADE = ("tuning", "models", "receipts")
TRIALS = 16  # the sampler of settings learns from the first ten


@pytest.fixture
def tuned(study):
    spaces = {"factors": {"low": 2, "high": 8}, "regularisation": {"low": 0.1, "high": 100, "log": True}}
    study.config["models"]["ials"] |= {"tune": spaces, "iterations": 40}
    study.config["tuning"] = {"trials": TRIALS, "metric": "recall", "k": 5}
    study.config["select"]["ranking"]["models"] = ["popularity", "ials"]
    return study


def test_a_killed_search_ends_with_the_same_bytes(tuned):
    """Kill -9 everything in the middle of the search; the same command goes on with the finished trials."""
    tuned.done(MODEL)
    undisturbed = tuned.contents(MADE)
    chosen = json.loads(undisturbed["tuning/small/holdout/ials.json"])
    trials = pq.read_table(tuned.results / "tuning/small/holdout/ials.parquet").to_pandas()
    assert trials.columns.tolist() == ["trial", "factors", "regularisation", "value"]
    assert chosen["value"] == trials["value"].max()
    assert not any("/." in path for path in undisturbed), "nothing unfinished is left"
    for folder in ("tuning", "models", "receipts/tune_model", "receipts/train_model"):
        shutil.rmtree(tuned.results / folder)

    process = tuned.start(MODEL)
    journal = tuned.results / "tuning/small/holdout/.ials.json.unfinished/trials.json"
    wait_for(lambda: journal.exists() or process.poll() is not None)
    assert process.poll() is None, (tuned.folder / "run.log").read_text()
    kill_tree(process)
    n_finished = len(json.loads(journal.read_text())["trials"])
    assert 0 < n_finished < TRIALS
    tuned.done(MODEL)
    assert tuned.contents(MADE) == undisturbed
    log = (tuned.results / "logs/tune_model/small/holdout/ials.log").read_text()
    assert log.count("step 40 of 40") == TRIALS - n_finished


def test_a_search_is_in_the_report_and_runs_again_only_if_it_changes(tuned):
    tuned.config["tuning"]["trials"] = 3
    tuned.done(METRICS)
    assert "trials.json" not in str(list(tuned.results.rglob("*")))
    assert "Settings tried for ials" in tuned.shown("tuning")
    assert tuned.would_run(METRICS) == set()
    tuned.config["models"]["popularity"] = {"kind": "popularity", "calibration": "isotonic"}
    assert not any(job.startswith("tune_model") for job in tuned.would_run(METRICS))
    del tuned.config["models"]["popularity"]
    tuned.config["tuning"]["trials"] = 4
    jobs = {"tune_model", "train_model", "rank_items"}
    changed = {job for job in tuned.would_run(METRICS) if job.split()[0] in jobs}
    assert changed == {f"{job} small/holdout/ials" for job in jobs}
