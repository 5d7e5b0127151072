"""One run per folder; a killed run leaves nothing that stops the next."""

import os
import signal
import subprocess
import sys

import pytest
from truerank import workdir
from truerank.workdir import share_imports, take_over

from tests.support import ROOT

HOLD = """
import subprocess, sys
from truerank.workdir import take_over

print(take_over(sys.argv[1]), flush=True)
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
    assert take_over(folder)
    assert not (folder / "locks").exists()


def test_a_folder_without_locks_is_taken_over(tmp_path, folder):
    assert take_over(tmp_path / "new")


def test_a_second_run_is_told_and_the_locks_stay(folder, another_run):
    assert not take_over(folder)
    assert (folder / "locks").exists()


def test_after_kill_9_the_next_run_takes_over_even_if_a_job_lives_on(folder, another_run):
    another_run.send_signal(signal.SIGKILL)
    another_run.wait()
    assert take_over(folder)
    assert not (folder / "locks").exists()


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
