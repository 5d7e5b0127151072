"""A SLURM that does not answer is told in one sentence, and one that does is left alone."""

import os
import subprocess
import sys
import time

import pytest
from truerank.launch.cluster import QUESTIONS, cluster_flaw, slurm_flaw

from tests.support import ROOT

HANGS, ANSWERS = "exec sleep 60", "echo main"
FAILS = "echo 'slurm_load_partitions: Unable to contact slurm controller (connect failure)' >&2; exit 1"
PROFILE = ["--profile", str(ROOT / "workflow/profiles/slurm"), "--snakefile", str(ROOT / "Snakefile")]


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """Make SLURM's commands, each a line of shell, and find them before all others."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    def make(**commands):
        for name, line in ({"sbatch": HANGS} | commands).items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
            (tmp_path / name).chmod(0o755)

    return make


def test_no_controller_is_told_with_its_own_words(slurm):
    slurm(sinfo=FAILS, squeue=FAILS)
    told = slurm_flaw(seconds=30)
    assert "no controller answers (slurm_load_partitions: Unable to contact slurm controller (connect failure))" in told
    assert "leave out --profile" in told


def test_commands_that_hang_are_not_waited_for(slurm):
    slurm(sinfo=HANGS, squeue=HANGS)
    begun = time.monotonic()
    assert "no controller answers (nothing in 1 seconds)" in slurm_flaw(seconds=1)
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize("answering", [question[0] for question in QUESTIONS])
@pytest.mark.parametrize("other", [HANGS, FAILS])
def test_one_answer_is_enough(slurm, answering, other):
    slurm(**({question[0]: other for question in QUESTIONS} | {answering: ANSWERS}))
    assert slurm_flaw(seconds=30) is None


def test_a_site_without_these_commands_is_left_to_snakemake(slurm, tmp_path, monkeypatch):
    slurm()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert slurm_flaw() is None
    (tmp_path / "sbatch").unlink()
    assert "there is no SLURM here (no sbatch)" in slurm_flaw()


def test_only_a_run_on_slurm_asks(slurm, monkeypatch):
    monkeypatch.delenv("SNAKEMAKE_PROFILE", raising=False)
    slurm(sinfo=FAILS, squeue=FAILS)
    assert "no controller answers" in cluster_flaw(PROFILE)
    assert "no controller answers" in cluster_flaw(["--executor", "slurm", "--jobs", "1"])
    for arguments in ([*PROFILE, "--dry-run"], ["--executor", "local", "--cores", "1"], ["--cores", "1"]):
        assert cluster_flaw(arguments) is None


@pytest.mark.slow
def test_snakemake_and_make_end_within_half_a_minute(slurm, tmp_path):
    """All commands hang; SLURM's own plugin for Snakemake takes ten seconds of that to start."""
    names = ("sinfo", "squeue", "scontrol", "sacct", "sacctmgr", "sshare", "scancel")
    slurm(**dict.fromkeys(names, HANGS))
    ask = [sys.executable, "-m", "truerank.launch.cluster"]
    assert f"{' '.join(['.venv/bin/python', *ask[1:]])}\n" in (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = (ask, [sys.executable, "-m", "snakemake", *PROFILE, "--directory", str(tmp_path)])
    for run in [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for command in commands]:
        _, said = run.communicate(timeout=60)
        assert run.returncode == 1
        told = [line for line in said.splitlines() if not line.startswith("Using")]
        assert len(told) == 1, said
        assert told[0].startswith("truerank: SLURM's commands are here, but no controller answers")
