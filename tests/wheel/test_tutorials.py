"""The tutorials, followed to the letter in an empty folder with the wheel."""

import re

import pytest

from tests.docs.tutorials import TUTORIALS, steps_of

pytestmark = pytest.mark.slow
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?")
DONE_BY_THE_FIXTURE = (("python", "-m", "venv", ".venv"), (".", ".venv/bin/activate"))


@pytest.mark.parametrize("tutorial", TUTORIALS)
def test_every_step_works_and_prints_what_the_page_shows(everything, tmp_path, tutorial):
    ran = 0
    for step in steps_of(TUTORIALS[tutorial].read_text(encoding="utf-8")):
        if step.name is not None:
            (tmp_path / step.name).write_text(step.body)
            continue
        printed = ""
        for command in step.commands:
            if command in DONE_BY_THE_FIXTURE or command[0] in ("pip", "mkdir", "cd") or needs_slurm(command):
                continue
            done = everything.run(*command, cwd=tmp_path)
            assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
            printed += done.stdout
            ran += 1
        if step.printed is not None:
            words, numbers = words_and_numbers(printed)
            expected_words, expected = words_and_numbers(step.printed)
            assert words == expected_words
            assert numbers == pytest.approx(expected, rel=1e-3, abs=2e-4)
    assert ran >= 2


def words_and_numbers(text):
    """Return the words of a text, and its numbers, whose last digits may differ from one processor to another."""
    return NUMBER.sub("#", text).split(), [float(each.replace(",", "")) for each in NUMBER.findall(text)]


def needs_slurm(command):
    """Tell whether a command submits jobs, which needs a cluster: tests/cluster submits such a study."""
    return command[0] in ("squeue", "scancel") or ("--profile" in command and "--dry-run" not in command)


def test_there_are_three():
    assert set(TUTORIALS) == {"csv", "sampled", "cluster"}
