"""A short part of ``make faults``, and the same bytes under other circumstances."""

import subprocess
from collections import Counter

import pytest

from tests.faults import determinism
from tests.faults.bench import RIGHT, SAID, WRONG, Bench, can_mount, sentences
from tests.faults.damaged import damaged_results
from tests.faults.run import table
from tests.faults.surroundings import NO_MOUNT, read_only


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return Bench(tmp_path_factory.mktemp("faults"))


def all_well(bench):
    assert bench.told
    assert not [fault for fault, counts in bench.told.items() if counts[WRONG]], bench.notes
    bench.told.clear()


def test_damaged_results_are_told_and_mended_as_told(bench):
    damaged_results(bench, tries=1, kinds=("a Parquet file", "an npz file"))
    all_well(bench)


@pytest.mark.skipif(not can_mount(), reason=NO_MOUNT)
def test_a_read_only_folder_ends_in_a_sentence(bench):
    read_only(bench, tries=1)
    all_well(bench)


def test_hash_seed_threads_time_zone_and_cores_change_no_byte(bench):
    """The bench has 2 cores, another hash seed, and the machine's own time zone and threads."""
    study = bench.fresh("elsewhere")
    target = study.command()[1]
    determinism.run(study.folder, 0, study.folder / "study.yaml", [target])
    same, differ = determinism.compared(*(determinism.checksums(each.folder) for each in (bench.finished, study)))
    assert not differ
    assert same > 20


def test_the_judge_sees_other_bytes_silence_and_what_is_missing(bench):
    study, run = bench.copy("judged"), lambda code, text="": subprocess.CompletedProcess([], code, "", text)
    assert bench.judge(study, run(0)) == (RIGHT, "")
    assert bench.judge(study, run(1, "verdict small failed: a b c; do d\n  log: e")) == (SAID, "")
    assert bench.judge(study, run(1, "Traceback (most recent call last):\nverdict small failed: a"))[0] == WRONG
    assert bench.judge(study, run(1))[0] == WRONG
    path = study.results / "metrics/small/holdout/summary.parquet"
    path.write_bytes(path.read_bytes()[:-1])
    assert bench.judge(study, run(0)) == (WRONG, "other bytes in metrics/small/holdout/summary.parquet")
    path.unlink()
    assert bench.judge(study, run(0)) == (WRONG, "metrics/small/holdout/summary.parquet is missing")
    assert bench.judge(study, run(1, "truerank: a; b")) == (SAID, "")


def test_only_sentences_are_sentences():
    assert sentences("[ 1/17] fetch_dataset small 3.2 s\ntruerank: x is wrong; mend it\n") == ["x is wrong; mend it"]
    assert sentences("OSError: [Errno 28]\ntruerank: x") == []


def test_two_folders_that_differ_are_told_apart():
    assert determinism.compared({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 4}) == (1, ["b", "c"])


def test_the_table_counts_tries_and_says_what_was_skipped():
    told = {"kill": Counter({RIGHT: 2, WRONG: 1}), "full disk": Counter()}
    assert "| kill | 3 | 2 | 0 | 1 |" in table(told)
    assert "| full disk | 0 | skipped | skipped | skipped |" in table(told)
