"""What a person sees of a run: one line of progress, one sentence per failure, and never a failure of its own."""

import io
import logging
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_logger_plugin_truerank import LogHandler
from snakemake_logger_plugin_truerank.display import Display, duration
from snakemake_logger_plugin_truerank.failure import NOT_STARTED, SILENT, sentence_in
from snakemake_logger_plugin_truerank.stop import Stop
from truerank.datasets._core.downloads import bar

from tests.support import ROOT, for_each

CLEAR = "\r\033[K"


class Screen(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, tty=False):
        super().__init__()
        self.tty = tty

    def isatty(self):
        return self.tty

    @property
    def lines(self):
        return self.getvalue().splitlines()

    @property
    def last(self):
        return self.getvalue().split(CLEAR)[-1]


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def shown(clock):
    """Make displays, which are closed at the end, with their streams."""
    made = []

    def show(tty=False):
        screen = Screen(tty)
        display = Display(screen, clock)
        made.append(display)
        display.plan({"train_model": 2, "rank_items": 2, "total": 4})
        for job, rule in enumerate(("train_model", "train_model", "rank_items", "rank_items")):
            display.describe(job, rule, {"dataset": "toy", "model": f"m{job}"})
        return display, screen

    yield show
    for display in made:
        display.close()


# The display


def test_elsewhere_than_on_a_terminal_each_finished_job_is_a_line(shown, clock):
    display, screen = shown()
    display.start([0])
    assert screen.getvalue() == ""
    clock.now += 12.34
    display.finish(0)
    assert screen.lines == ["[1/4] train_model toy/m0 12.3 s · about 0:37 left"]
    assert "\r" not in screen.getvalue()
    assert "\033" not in screen.getvalue()


def test_the_last_job_has_nothing_left(shown, clock):
    display, screen = shown()
    for job in range(4):
        display.start([job])
        clock.now += 1
        display.finish(job)
    assert screen.lines[-1] == "[4/4] rank_items toy/m3 1.0 s"
    display.close()
    assert screen.lines[-1] == "4 of 4 jobs in 0:04"


def test_on_a_terminal_there_is_one_line_that_is_redrawn(shown, clock, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    display, screen = shown(tty=True)
    display.start([0, 1])
    clock.now += 65
    display.finish(0)
    assert screen.last == "[1/4] 25 % · train_model toy/m1 · 1:05 · about 3:15 left"
    assert "\n" not in screen.getvalue()
    display.close()
    assert screen.getvalue().endswith(f"{CLEAR}1 of 4 jobs in 1:05\n")


def test_many_jobs_at_work_are_counted(shown, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    display, screen = shown(tty=True)
    display.start([0, 1, 2])
    assert "train_model toy/m0 and 2 more" in screen.last


@pytest.mark.parametrize("columns", [10, 40, 79])
def test_a_line_never_wraps(shown, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    display, screen = shown(tty=True)
    display.start([0, 1, 2, 3])
    assert 0 < len(screen.last) < columns


def test_a_download_is_seen_on_the_line_while_it_goes_on(shown, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "200")
    log = tmp_path / "fetch.log"
    log.write_text("2026-01-01 10:00:00,000 ml-1m.zip [" + "." * 30 + "] 1.0 of 190.0 MB\n")
    display, screen = shown(tty=True)
    display.describe(1, "fetch_dataset", {"dataset": "ml-1m"}, [str(log)])
    display.start([0, 1])
    assert f" · train_model toy/m0 and 1 more [{'.' * 30}] 1.0 of 190.0 MB · " in screen.last
    with open(log, "a") as file:
        file.write(f"2026-01-01 10:00:05,000 ml-1m.zip {bar(95_000_000, 190_000_000)}\n")
    display.start([])
    assert f"[{'#' * 15}{'.' * 15}] 95.0 of 190.0 MB · " in screen.last
    log.write_text("2026-01-01 10:00:10,000 reading ml-1m.zip\n")
    display.start([])
    assert "MB" not in screen.last


def test_text_that_stays_is_above_the_line(shown, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    display, screen = shown(tty=True)
    display.start([0])
    display.say("a sentence\n\n")
    assert screen.getvalue().split(CLEAR)[-2] == "a sentence\n"
    assert screen.last.startswith("[0/4]")


def test_time_left_is_by_the_mean_of_each_rule_over_the_parallelism_seen(shown, clock):
    """Two trainings of 10 s at once, then a ranking of 2 s: one ranking of 2 s is left, and 22 s of work took 12 s."""
    display, _ = shown()
    display.start([0, 1])
    clock.now += 10
    display.finish(0)
    display.finish(1)
    display.start([2])
    clock.now += 2
    display.finish(2)
    assert display.seconds_left() == pytest.approx(2 / (22 / 12))


def test_a_failed_job_is_not_done(shown, clock):
    display, screen = shown()
    display.start([0])
    clock.now += 1
    display.finish(0, failed=True)
    assert display.done == 0
    assert not display.running
    assert screen.getvalue() == ""


def test_a_job_that_was_never_started_or_described_does_no_harm(shown):
    display, screen = shown()
    display.finish(77)
    display.start([78])
    display.finish(78)
    assert display.title(79, "some_rule") == "some_rule"
    assert screen.lines[0].startswith("[1/4]")


def test_closing_twice_says_it_once(shown, clock):
    display, screen = shown()
    display.start([0])
    display.finish(0)
    display.close()
    display.close()
    assert screen.getvalue().count("1 of 4 jobs") == 1


def test_a_run_without_jobs_says_nothing_at_the_end():
    screen = Screen()
    Display(screen).close()
    assert screen.getvalue() == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0:00"),
        (7, "0:07"),
        (59.6, "1:00"),
        (754, "12:34"),
        (3599.5, "1:00:00"),
        (3723, "1:02:03"),
        (90000, "25:00:00"),
    ],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


# The sentence that matters


@for_each(
    ("logs", "sentence"),
    [
        (["error: x is 3; correct it\n"], "x is 3; correct it"),
        (["error: first\nerror: last\n\n"], "last"),
        (
            ["starting\nTraceback (most recent call last):\nValueError: error: not marked\n"],
            "ValueError: error: not marked",
        ),
        (["  \n", "slurm: killed\n"], "slurm: killed"),
        (["last words\n", '{\n "cells": []\n}\n'], "last words"),
        (["talk\n", "error: in the second\n"], "in the second"),
        (["error: größe ist 3\n"], "größe ist 3"),
        ([""], SILENT),
        (["2026-01-02 03:04:05,678 iteration 3 of 9", "what the cluster says of resources"], SILENT),
        (["2026-01-02 03:04:05,678 iteration 3 of 9", "error: the disk is full"], "the disk is full"),
        ([], SILENT),
    ],
)
def test_the_sentence_in_logs(tmp_path, logs, sentence):
    paths = []
    for number, text in enumerate(logs):
        paths.append(str(tmp_path / f"{number}.log"))
        (tmp_path / f"{number}.log").write_text(text, encoding="utf-8")
    assert sentence_in(paths) == sentence


def test_logs_that_are_missing_or_no_text(tmp_path):
    (tmp_path / "binary.log").write_bytes(b"\xff\xfe bytes\nerror: still found \xff\n")
    assert sentence_in([str(tmp_path / "none.log")]) == SILENT
    assert sentence_in([str(tmp_path / "none.log"), str(tmp_path / "binary.log")]).startswith("still found")


# A stream that fails


@pytest.mark.parametrize("failure", [BrokenPipeError(), OSError(28, "No space left on device"), ValueError("closed")])
def test_a_stream_that_fails_ends_the_display_and_nothing_else(shown, monkeypatch, failure):
    display, screen = shown(tty=True)

    def fail(text):
        raise failure

    monkeypatch.setattr(screen, "write", fail)
    display.start([0])
    display.say("a word")
    display.finish(0)
    display.close()
    assert display.done == 1


def test_a_closed_pipe_is_replaced_for_all_that_shares_it():
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as stream:
        Display(stream).say("a word")
        os.write(writer, b"another")


# The handler


@pytest.fixture
def handler(monkeypatch):
    """A handler that writes to a screen of ours; it is closed at the end."""
    monkeypatch.setattr(sys, "argv", ["snakemake"])
    monkeypatch.setattr(Stop, "listen", lambda stop: None)  # Ctrl-C is pytest's here; see test_interrupted.py
    made = []

    def make(dryrun=False, tty=False):
        screen = Screen(tty)
        monkeypatch.setattr(sys, "stderr", screen)  # pytest puts its own there when the test itself begins
        handler = LogHandler(SimpleNamespace(dryrun=dryrun), None)
        made.append(handler)
        return handler, screen

    yield make
    for each in made:
        each.close()


def emit(handler, event=None, level=logging.INFO, message="", **fields):
    fields = {"levelno": level, "msg": message, "event": event} | fields
    handler.emit(logging.makeLogRecord(fields))


def test_a_run_from_start_to_end(handler):
    log, screen = handler()
    emit(log, LogEvent.RUN_INFO, stats={"train_model": 1, "total": 1})
    emit(log, LogEvent.JOB_INFO, jobid=4, rule_name="train_model", wildcards={"dataset": "toy", "model": "ease"})
    emit(log, LogEvent.JOB_STARTED, jobs=[4])
    emit(log, LogEvent.SHELLCMD, message="a wall of text", shellcmd=None)
    emit(log, message="Building DAG of jobs...")
    emit(log, LogEvent.JOB_FINISHED, job_id=4)
    log.close()
    assert screen.lines == ["[1/1] train_model toy/ease 0.0 s", "1 of 1 jobs in 0:00"]


def test_a_command_that_cannot_run_ends_in_one_sentence(tmp_path):
    """Python closes all handlers as it ends, one that was never finished too."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile", "--logger", "truerank"]
    command += ["--default-storage-provider", "s3", "--default-storage-prefix", "s3://mine/study", "--cores", "1"]
    command += ["--storage-s3-endpoint-url", "http://127.0.0.1:9"]
    keys = {f"SNAKEMAKE_STORAGE_S3_{name}_KEY": "x" for name in ("ACCESS", "SECRET")}
    run = subprocess.run(command, cwd=tmp_path, env=os.environ | keys, stderr=subprocess.PIPE, text=True, timeout=60)
    assert run.returncode == 1
    told = [line for line in run.stderr.splitlines() if not line.startswith("Using")]
    assert len(told) == 1, run.stderr
    assert told[0].startswith("truerank: the bucket 'mine' cannot be reached")


def failed(log, path, job=4):
    emit(log, LogEvent.JOB_ERROR, logging.ERROR, jobid=job, rule_name="train_model", log=[str(path)])


def test_a_failure_is_one_sentence_and_the_path_of_the_log(handler, tmp_path):
    log, screen = handler()
    (tmp_path / "a.log").write_text("lots\nof\ntalk\nerror: l2 is 0, expected more; correct it\n")
    emit(log, LogEvent.JOB_INFO, jobid=4, rule_name="train_model", wildcards={"model": "ease"})
    emit(log, LogEvent.ERROR, logging.ERROR, "RuleException: long story", exception="RuleException")
    failed(log, tmp_path / "a.log")
    failed(log, tmp_path / "a.log")
    emit(log, LogEvent.ERROR, logging.ERROR, "WorkflowError: at least one job failed", exception="WorkflowError")
    emit(log, level=logging.ERROR, message="Exiting because a job execution failed. Look below for error messages")
    assert screen.lines == [
        "train_model ease failed: l2 is 0, expected more; correct it",
        f"  log: {tmp_path / 'a.log'}",
    ]


def test_every_failed_job_is_told(handler, tmp_path):
    log, screen = handler()
    failed(log, tmp_path / "a.log", 1)
    failed(log, tmp_path / "b.log", 2)
    assert len(screen.lines) == 4


def test_a_group_that_the_cluster_did_not_start_is_reported_once(handler, tmp_path):
    """Snakemake makes empty logs before it submits, loses SLURM's refusal, and tries again."""
    log, screen = handler()
    (tmp_path / "b.log").touch()
    names = {3: "a.log", 4: "b.log"}
    infos = [{"rule_name": "rank_items", "jobid": i, "log": [str(tmp_path / name)]} for i, name in names.items()]
    for _ in range(2):
        emit(log, LogEvent.GROUP_ERROR, logging.ERROR, job_error_info=infos)
        for info in infos:
            emit(log, LogEvent.JOB_ERROR, logging.ERROR, **info)
    assert screen.lines == [f"rank_items and 1 more jobs of its group failed: {NOT_STARTED}"]


def test_of_a_group_only_the_job_that_broke_off_is_told(handler, tmp_path):
    """Snakemake names every job of a group, whichever of them failed."""
    log, screen = handler()
    (tmp_path / "done.log").write_text("2026-01-01 10:00:00,1 peak memory 90 MB\n")
    (tmp_path / "broken.log").write_text("2026-01-01 10:00:00,1 at work\n")
    names = ("done", "broken", "not_begun")
    infos = [{"rule_name": name, "jobid": i, "log": [str(tmp_path / f"{name}.log")]} for i, name in enumerate(names)]
    emit(log, LogEvent.GROUP_ERROR, logging.ERROR, job_error_info=infos)
    for info in infos:
        emit(log, LogEvent.JOB_ERROR, logging.ERROR, **info)
    assert screen.lines == [f"broken failed: {SILENT}", f"  log: {tmp_path / 'broken.log'}"]


def test_jobs_of_a_group_are_counted(handler):
    log, screen = handler()
    emit(log, LogEvent.RUN_INFO, stats={"rank_items": 2, "total": 2})
    emit(log, LogEvent.JOB_STARTED, jobs=["a group has no number"])
    emit(log, LogEvent.GROUP_INFO, group_id="models", jobs=[SimpleNamespace(jobid=1), SimpleNamespace(jobid=2)])
    for job in (1, 2):
        emit(log, LogEvent.JOB_FINISHED, job_id=job)
    assert [line.partition("]")[0] for line in screen.lines] == ["[1/2", "[2/2"]


def test_an_error_that_is_no_jobs_is_told_in_full(handler):
    log, screen = handler()
    emit(log, LogEvent.ERROR, logging.ERROR, "MissingInputException: results/a", exception="MissingInputException")
    assert screen.lines == ["MissingInputException: results/a"]


def test_a_workflow_error_before_any_job_is_told(handler):
    log, screen = handler()
    emit(log, LogEvent.ERROR, logging.ERROR, "WorkflowError: no rule", exception="WorkflowError")
    assert screen.lines == ["WorkflowError: no rule"]


def test_a_locked_folder_is_a_sentence(handler):
    log, screen = handler()
    emit(log, LogEvent.ERROR, logging.ERROR, "LockException: long", exception="LockException")
    assert screen.lines == ["truerank: another snakemake is at work in this folder; wait until it ends, or stop it"]


@pytest.mark.parametrize(
    ("exception", "text", "told"),
    [
        ("WorkflowError", "WorkflowError:\nOSError: [Errno 28] No space left on device", "no space left on device"),
        ("ProtectedOutputException", "Write-protected output files for rule a:\n  b", "read-only file system"),
    ],
    ids=["full", "read-only"],
)
def test_a_disk_that_takes_nothing_is_one_sentence_however_often_it_is_met(handler, exception, text, told):
    log, screen = handler()
    for _ in range(2):
        emit(log, LogEvent.ERROR, logging.ERROR, text, exception=exception)
    assert screen.lines == [
        f"truerank: this folder cannot be written: {told}; free some space or correct the permissions and run the same "
        "command again"
    ]


def test_an_input_from_the_future_is_one_sentence_even_after_a_failed_job(handler, tmp_path):
    log, screen = handler()
    failed(log, tmp_path / "a.log")
    text = (
        'WorkflowError in rule a in file "a.smk", line 1:\nOutput results/a has older modification time '
        "(2026-11-17 09:04:45.237745) than input my ratings.csv (2026-11-18 09:04:41.208622). This could indicate a "
        "clock skew problem. System time: 2026-11-17 09:04:45.238452 (rule a, line 1, a.smk)"
    )
    for _ in range(2):
        emit(log, LogEvent.ERROR, logging.ERROR, text, exception="WorkflowError")
    emit(log, LogEvent.ERROR, logging.ERROR, "At least one job did not complete", exception="WorkflowError")
    assert screen.lines[2:] == [
        "truerank: my ratings.csv is from 2026-11-18 09:04:41, and the clock says 2026-11-17 09:04:45; "
        "set the clock right or run `touch 'my ratings.csv'`, then run the same command again"
    ]


def test_a_config_that_cannot_be_read_stops_all_before_snakemake_reads_it(handler, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.yaml").write_text("seed: 1\n")
    monkeypatch.setattr(sys, "argv", ["snakemake", "--directory", "study", "--configfile", "my.yaml"])
    handler()
    (tmp_path / "my.yaml").write_text("seed: [1\n")
    with pytest.raises(SystemExit, match=r"truerank: my.yaml, line 2: not valid YAML"):
        handler()


@pytest.mark.parametrize(
    ("encoding", "setting", "again"), [("ascii", "0", 1), ("utf-8", "0", 0), ("ascii", "1", 0)], ids=str
)
def test_a_locale_of_ascii_starts_snakemake_again_but_once(handler, monkeypatch, encoding, setting, again):
    started = []
    monkeypatch.setattr(sys, "getfilesystemencoding", lambda: encoding)
    monkeypatch.setattr(os, "execve", lambda *arguments: started.append(arguments))
    monkeypatch.setenv("PYTHONUTF8", setting)
    handler()
    assert started == [(sys.executable, sys.orig_argv, os.environ | {"PYTHONUTF8": "1"})] * again


def test_nothing_to_do_and_warnings_are_told_and_talk_is_not(handler):
    log, screen = handler()
    emit(log, message="Nothing to be done (all requested files are present and up to date).")
    emit(log, level=logging.WARNING, message="Disk is slow")
    emit(log, level=logging.WARNING, message="Restored previous version of results/a")
    emit(log, message="Using shell: /bin/bash")
    assert screen.lines == ["Nothing to do: all results are there and up to date.", "Disk is slow"]


def test_a_dry_run_says_what_would_run_and_why(handler):
    log, screen = handler(dryrun=True)
    reason = "Missing output files: results/a"
    emit(log, LogEvent.JOB_INFO, jobid=1, rule_name="rank_items", wildcards={"model": "ease"}, reason=reason)
    assert screen.lines == ["would run rank_items ease: missing output files"]


# A defect in the display stops no run


@pytest.mark.parametrize("event", [*LogEvent, None], ids=str)
def test_a_record_without_the_fields_that_we_expect_raises_nothing(handler, event, monkeypatch):
    monkeypatch.setattr(logging, "raiseExceptions", False)
    log, screen = handler()
    emit(log, event, logging.ERROR)
    emit(log, LogEvent.RUN_INFO, stats={"total": 1})
    emit(log, message="Nothing to be done")
    assert screen.lines[-1].startswith("Nothing to do"), "and the next record is shown"


@pytest.mark.parametrize("tty", [False, True])
def test_a_terminal_that_went_away_raises_nothing(handler, monkeypatch, tty):
    monkeypatch.setattr(logging, "raiseExceptions", False)
    log, screen = handler(tty=tty)
    emit(log, LogEvent.RUN_INFO, stats={"train_model": 2, "total": 2})

    def broken(_):
        raise BrokenPipeError

    monkeypatch.setattr(screen, "write", broken)
    emit(log, LogEvent.JOB_STARTED, jobs=[1])
    emit(log, LogEvent.JOB_FINISHED, job_id=1)
    emit(log, level=logging.ERROR, message="lost")
    log.close()
    assert log.display.done == 1
