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


def run_elsewhere(folder):
    """Start a process that takes the folder over and stays; return it and what it was told."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


def test_locks_of_a_dead_run_are_removed(folder):
    assert take_over(folder)
    assert not (folder / "locks").exists()


def test_a_folder_without_locks_is_taken_over(tmp_path, folder):
    assert take_over(tmp_path / "new")


def test_a_second_run_is_told_and_the_locks_stay(folder):
    process, told = run_elsewhere(folder)
    try:
        assert told == "True"
        (folder / "locks").mkdir()
        assert not take_over(folder)
        assert (folder / "locks").exists()
    finally:
        process.kill()
        process.communicate()


def test_after_kill_9_the_next_run_takes_over(folder):
    process, told = run_elsewhere(folder)
    assert told == "True"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    (folder / "locks").mkdir()
    assert take_over(folder)
    assert not (folder / "locks").exists()


def test_a_child_does_not_keep_the_folder_when_its_parent_is_killed(folder):
    """Jobs that outlive a killed run must not make the next one refuse."""
    code = HOLD.replace(
        "time.sleep(600)", "import subprocess as s; p = s.Popen(['sleep', '600']); print(p.pid, flush=True); p.wait()"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().strip() == "True"
    child = int(process.stdout.readline())
    try:
        process.kill()
        process.wait()
        assert take_over(folder)
    finally:
        os.kill(child, signal.SIGKILL)
        process.communicate()


@pytest.mark.parametrize(
    ("before", "after"),
    [(None, []), ("", []), ("/a", ["/a"]), (os.pathsep.join(["/a", "{here}", "", "/b"]), ["/a", "/b"])],
)
def test_jobs_find_this_package_first_and_once(monkeypatch, before, after):
    here = str(ROOT / "workflow")
    if before is None:
        monkeypatch.delenv("PYTHONPATH", raising=False)
        monkeypatch.setenv("PYTHONPATH", "")  # so that it is restored
    else:
        monkeypatch.setenv("PYTHONPATH", before.format(here=here))
    share_imports()
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [here, *after]
    share_imports()
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [here, *after]
