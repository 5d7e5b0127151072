"""One run per folder; a killed run leaves nothing that stops the next."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest
from truerank.launch import workdir
from truerank.launch.workdir import acquire_run_lock, clamp_future_mtimes, share_imports

from tests.support import ROOT

HOLD = """
import subprocess, sys
from truerank.launch.workdir import acquire_run_lock

print(acquire_run_lock(sys.argv[1]), flush=True)
child = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL)
print(child.pid, flush=True)
child.wait()
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A work folder with Snakemake's locks, as a killed run leaves it; what this process holds is let go at the end."""
    held = []
    monkeypatch.setattr(workdir, "_held", held)
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "0.input.lock").write_text("results/a\n")
    yield tmp_path
    for handle in held:
        os.close(handle)


@pytest.fixture
def another_run(folder):
    """A process that has taken the folder over, and has a job of its own at work; both are ended at the end."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True)
    told, child = process.stdout.readline().strip(), int(process.stdout.readline())
    assert told == "True"
    (folder / "locks").mkdir()
    yield process
    os.kill(child, signal.SIGKILL)
    process.kill()
    process.communicate()


def test_locks_of_a_dead_run_are_removed(folder):
    assert acquire_run_lock(folder)
    assert not (folder / "locks").exists()


def test_a_folder_without_locks_is_taken_over(tmp_path, folder):
    assert acquire_run_lock(tmp_path / "new")


def test_a_second_run_is_told_and_the_locks_stay(folder, another_run):
    assert not acquire_run_lock(folder)
    assert (folder / "locks").exists()


def test_after_kill_9_the_next_run_takes_over_even_if_a_job_lives_on(folder, another_run):
    another_run.send_signal(signal.SIGKILL)
    another_run.wait()
    assert acquire_run_lock(folder)
    assert not (folder / "locks").exists()


NOW = 1_800_000_000 * 10**9
DAY = 86_400 * 10**9


@pytest.fixture
def results(tmp_path):
    """Files in the order of their names, two of them equal in time: two of today, four of tomorrow, one a link."""
    folder = tmp_path / "results"
    (folder / "deep").mkdir(parents=True)
    times = {"a": NOW - DAY, "b": NOW - 5, "deep/c": NOW + DAY, "d": NOW + DAY + 1, "deep/d": NOW + DAY + 1}
    for name, when in (times | {"e": NOW + 2 * DAY}).items():
        (folder / name).write_text(name)
        os.utime(folder / name, ns=(NOW, when))
    (tmp_path / "own").write_text("of the user")
    os.utime(tmp_path / "own", ns=(NOW + DAY, NOW + DAY))
    (folder / "link").symlink_to(tmp_path / "own")
    return folder


def times(folder):
    """Return path -> time of last change of all files in a folder."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in files}


def in_order(found):
    return found["a"] < found["b"] < found["deep/c"] < found["d"] == found["deep/d"] < found["e"]


def test_results_from_the_future_come_back_in_their_order(results):
    clamp_future_mtimes(results, NOW)
    found = times(results)
    assert in_order(found)
    assert max(found.values()) - NOW < 10**6
    assert (found["a"], found["b"]) == (NOW - DAY, NOW - 5)
    assert results.joinpath("link").stat().st_mtime_ns == NOW + DAY
    clamp_future_mtimes(results, NOW + DAY)
    assert times(results) == found


@pytest.mark.parametrize("done", range(4))
@pytest.mark.parametrize("failure", [KeyboardInterrupt, PermissionError])
def test_the_order_holds_wherever_the_change_stops_and_after_it_goes_on(results, monkeypatch, done, failure):
    left, utime = [failure] * (4 - done) + [None] * done, os.utime

    def stopped(*arguments, **options):
        if stop := left.pop():
            raise stop
        utime(*arguments, **options)

    with monkeypatch.context() as patched, contextlib.suppress(KeyboardInterrupt):
        patched.setattr(os, "utime", stopped)
        clamp_future_mtimes(results, NOW)
    found = times(results)
    assert sum(when > NOW + DAY // 2 for when in found.values()) == 4 - done
    found["d"] = found["deep/d"] = max(found["d"], found["deep/d"])  # equal ones may be parted for a while
    assert in_order(found)
    clamp_future_mtimes(results, NOW)
    found = times(results)
    found["d"] = found["deep/d"]
    assert in_order(found)


def test_a_run_that_takes_over_ends_the_future_by_the_clock_of_the_disk(folder, results):
    later = time.time_ns() + DAY
    os.utime(results / "e", ns=(later, later))
    assert acquire_run_lock(folder, results)
    assert times(results)["e"] <= (folder / "truerank.lock").stat().st_mtime_ns < later


@pytest.mark.parametrize(
    ("before", "after"),
    [(None, []), ("", []), ("/a", ["/a"]), (os.pathsep.join(["/a", "{here}", "", "/b"]), ["/a", "/b"])],
)
def test_jobs_find_this_package_first_and_once(monkeypatch, before, after):
    here = str(ROOT / "workflow")
    monkeypatch.setenv("PYTHONPATH", (before or "").format(here=here))
    if before is None:
        monkeypatch.delenv("PYTHONPATH")
    share_imports()
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [here, *after]
    share_imports()
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [here, *after]
