"""How commands end: Ctrl-C, a closed pipe, a full or closed output. Real processes; never a traceback."""

import contextlib
import os
import signal
import subprocess
import sys

import pytest
from truerank.cli import main

from tests.support import ROOT

TRUERANK = [sys.executable, "-m", "truerank"]
SMALL = ["--items", "400", "--negatives", "50", "--metric", "auc", "--estimator", "bv_01"]


@pytest.fixture
def commands(tmp_path):
    """One call of some commands that succeed in a moment, and of what the parser itself answers."""
    return {
        "plan": ["plan", "--margin", "0.01"],
        "export": ["export", str(ROOT / "tests/fixture/results"), "--to", str(tmp_path / "out"), "--threshold", "3"],
        "help": ["--help"],
        "version": ["--version"],
    }


NAMES = ["plan", "export", "help", "version"]  # the others write their answer as ``plan`` does


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_is_one_sentence(commands, name):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*TRUERANK, *commands[name]], stdout=full, stderr=subprocess.PIPE, text=True)
    told = "truerank: standard output cannot be written: no space left on device; redirect it to another file\n"
    assert (done.returncode, done.stderr) == (1, told)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_closed_pipe_ends_in_silence(commands, name):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*TRUERANK, *commands[name]], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.slow
def test_a_pipe_that_is_closed_by_the_next_program(commands):
    line = f"'{sys.executable}' -m truerank plan --margin 0.01 | head -n 0; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert (done.stdout.strip() in ("141", "0"), done.stderr) == (True, ""), "0 if it was the quicker one"


@pytest.mark.slow
def test_an_output_that_is_not_open(commands):
    line = f"'{sys.executable}' -m truerank plan --margin 0.01 >&-"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("truerank: standard output is closed")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_nobody_to_tell_a_mistake_to():
    for place in ("2>&-", "2>/dev/full", ">&- 2>&-"):
        line = f"'{sys.executable}' -m truerank plan --margin 7 {place}"
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def interrupted(arguments, wait):
    """Start a command, send it Ctrl-C once ``wait`` returns; return the status and what it wrote after that.

    The status is as a shell has it: where Ctrl-C met code run from a string, as a dataclass is made, ``python -m``
    ends by the signal, though we have caught it (``unhandled_keyboard_interrupt`` in CPython's ``Modules/main.c``).
    """
    process = subprocess.Popen([*TRUERANK, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    status = 128 + signal.SIGINT if process.returncode == -signal.SIGINT else process.returncode
    return status, out, err


@pytest.mark.slow
def test_an_interrupt_of_a_long_estimate(tmp_path):
    (tmp_path / "ranks.csv").write_text("1\n2\n3\n4\n" * 100)
    long = ["correct", str(tmp_path / "ranks.csv"), "--items", "30000", "--negatives", "100", "--metric", "auc"]

    def until_it_tells(process):
        assert process.stderr.readline().startswith("truerank: 30,000 items with 100 negatives")

    assert interrupted([*long, "--estimator", "mle"], until_it_tells) == (130, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["correct", "compare"])
def test_an_interrupt_while_waiting_for_input(tmp_path, command):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    more = SMALL if command == "correct" else [os.devnull]
    with contextlib.ExitStack() as opened:

        def until_it_reads(process):
            opened.enter_context(open(pipe, "w"))  # which returns once there is a reader

        assert interrupted([command, str(pipe), *more], until_it_reads) == (130, "", "")


def interrupt(*arguments, **keywords):
    raise KeyboardInterrupt


def test_an_interrupt_of_a_plan(commands, capsys, monkeypatch):
    monkeypatch.setattr("truerank.api.planning.users.users_for_one", interrupt)
    assert main(commands["plan"]) == 130
    assert capsys.readouterr() == ("", "")


def test_an_interrupt_of_an_export_leaves_no_half_file(commands, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("truerank.export.qrels", lambda *_: map(interrupt, [1]))
    assert main(commands["export"]) == 130
    assert capsys.readouterr() == ("", "")
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
