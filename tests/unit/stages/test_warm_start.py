"""Jobs that are started by a process which has imported what they need: the same jobs, and none outlives its run."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest
from truerank.stages import handing_over, warm_start

SCRIPT = """
import os, sys, time
from truerank.stages.handing_over import hand_over
status = hand_over()
if status is not None:
    sys.exit(status)
print(os.getppid(), os.getcwd(), os.environ.get("COLOUR"), "pandas" in sys.modules, flush=True)
if "WAIT" in os.environ:
    with open("waiting", "w") as file:
        file.write(str(os.getpid()))
    time.sleep(60)
sys.exit(int(os.environ.get("CODE", "0")))
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this system cannot watch a process")


@pytest.fixture
def run(tmp_path):
    """A process that stands for Snakemake, in a folder with the script of a job."""
    (tmp_path / ".snakemake").mkdir()
    (tmp_path / "script.py").write_text(SCRIPT)
    process = subprocess.Popen(["sleep", "120"])
    yield process
    process.kill()
    process.wait()


def job(run, folder, script="script.py", **environment):
    return subprocess.Popen(
        [sys.executable, script],
        cwd=folder,
        env={**os.environ, handing_over.RUN: str(run.pid), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcome(process):
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def wait_for(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def warm_job(run, folder, **environment):
    """Start jobs until one is forked, and return that one's outcome."""
    found = []

    def forked():
        found.append(outcome(job(run, folder, **environment)))
        return found[-1][1].split()[-1] == "True"

    wait_for(forked)
    return found


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.slow
def test_the_first_job_runs_by_itself_and_a_later_one_is_forked_with_all_that_is_its_own(run, tmp_path):
    cold, *_, warm = warm_job(run, tmp_path, COLOUR="blue", CODE="3")
    assert cold[1].split()[0] == str(os.getpid())
    assert cold[1].split()[1:] == [str(tmp_path), "blue", "False"]
    assert warm[1].split()[1:] == [str(tmp_path), "blue", "True"]
    assert cold[0] == warm[0] == 3
    assert warm[2] == ""
    (path,) = (tmp_path / ".snakemake").glob("*.socket")
    assert path.stat().st_mode & 0o077 == 0, "only its user may connect"


@pytest.mark.slow
def test_a_child_ends_with_its_job_and_the_starter_with_its_run(run, tmp_path):
    *_, (_, out, _) = warm_job(run, tmp_path)
    starter = int(out.split()[0])
    killed = job(run, tmp_path, WAIT="yes")
    wait_for((tmp_path / "waiting").exists)
    wait_for(lambda: (tmp_path / "waiting").read_text() != "")
    child = int((tmp_path / "waiting").read_text())
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    wait_for(lambda: not is_alive(child))
    assert is_alive(starter)
    (tmp_path / "waiting").unlink()
    orphan = job(run, tmp_path, WAIT="yes")
    wait_for(lambda: (tmp_path / "waiting").exists() and (tmp_path / "waiting").read_text())
    child = int((tmp_path / "waiting").read_text())
    run.kill()
    run.wait()
    wait_for(lambda: not is_alive(starter) and not is_alive(child))
    assert outcome(orphan)[0] == 128 + signal.SIGKILL
    assert not list((tmp_path / ".snakemake").iterdir())


def test_nothing_is_started_without_a_run_or_for_one_that_has_ended(run, tmp_path, monkeypatch):
    monkeypatch.setenv(handing_over.RUN, "1")
    monkeypatch.setenv("PYTHONPATH", handing_over.EARLY)
    handing_over.allow_warm_starts(local=False)
    assert handing_over.hand_over() is None
    assert handing_over.RUN not in os.environ
    assert os.environ["PYTHONPATH"] == ""
    run.kill()
    run.wait()
    for _ in range(3):
        assert outcome(job(run, tmp_path))[0] == 0
    wait_for(lambda: not list((tmp_path / ".snakemake").glob("*.socket")))


@pytest.mark.slow
def test_a_job_is_handed_over_before_its_script_begins(run, tmp_path):
    """The script itself does not ask, and another ``sitecustomize`` is imported where it runs by itself."""
    (tmp_path / "tmp1.run_stage.py").write_text("import os, sys\nprint(os.environ['HOOK'], 'pandas' in sys.modules)")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "sitecustomize.py").write_text("import os\nos.environ['HOOK'] = 'imported'")
    path = os.pathsep.join([handing_over.EARLY, str(tmp_path / "other"), os.environ.get("PYTHONPATH", "")])
    asked = {"script": "tmp1.run_stage.py", "PYTHONPATH": path, "HOOK": "given"}
    assert outcome(job(run, tmp_path, **asked))[1].split() == ["imported", "False"]
    *_, warm = warm_job(run, tmp_path, **asked)
    assert warm[1].split() == ["given", "True"]


def test_a_script_ends_as_python_would_end_it(tmp_path, capsys):
    script = tmp_path / "end.py"
    endings = {
        "x = 1": (0, ""),
        "exit()": (0, ""),
        "exit(3)": (3, ""),
        "exit('a reason')": (1, "a reason"),
        "1 / 0": (1, "ZeroDiv"),
    }
    here, there = socket.socketpair()
    with here, there:
        for source, (status, said) in endings.items():
            script.write_text("from sys import exit\n" + source)
            assert warm_start.execute(str(script), here) == status
            assert said in capsys.readouterr().err


def test_a_script_whose_job_is_gone_says_nothing(tmp_path, capsys):
    """After Ctrl-C the job ends, and Snakemake removes its script, before its child is killed."""
    here, there = socket.socketpair()
    there.close()
    with here:
        assert warm_start.execute(str(tmp_path / "removed.py"), here) == 1
    assert capsys.readouterr().err == ""


def test_what_was_printed_is_not_lost_on_leaving(tmp_path):
    program = (
        "import sys\nprint('out', end='')\nsys.stderr.write('err')\n"
        "from truerank.stages.warm_start import leave\nleave(5)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (5, "out", "err")
