"""Ctrl-C, and a display that can no longer be written: the run ends or goes on without a traceback."""

import os
import signal
import subprocess

from tests.workflow.conftest import ALONE, METRICS, wait_for

STOPPED = "stopped by Ctrl-C; run the same command again to go on"
TRAIN = "results/splits/small/holdout/train.parquet"


TO_ALL, TO_SNAKEMAKE = os.killpg, os.kill  # as a terminal does, and alone
SENT = (("train_model", TO_SNAKEMAKE), ("rank_items", TO_ALL))  # tests/workflow/test_run.py: during the first job


def test_ctrl_c_ends_in_one_line_and_the_same_command_goes_on(study, finished_once):
    for stage, send in SENT:
        run = study.start(METRICS)
        wait_for(lambda stage=stage: list(study.results.glob(f"logs/{stage}/**/*.log")))
        send(run.pid, signal.SIGINT)
        assert run.wait(timeout=60) == 130
        told = (study.folder / "run.log").read_text().splitlines()
        said = [line for line in told if not line.startswith(("Using workflow", "["))]
        assert [line for line in said if " jobs in " not in line] == [STOPPED], told
    study.done(METRICS)
    made = study.contents()
    assert "metrics/small/holdout/per_user.parquet" in made
    assert made.items() <= finished_once.contents().items()


def test_ctrl_c_before_the_first_job(study):
    """While Snakemake reads the rules, which is after it has written its own first line."""
    run = subprocess.Popen(study.command(), cwd=study.folder, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: (study.folder / ".snakemake/truerank.lock").exists())
    run.send_signal(signal.SIGINT)
    _, told = run.communicate(timeout=60)
    assert run.returncode == 130
    assert told.splitlines()[1:] == [STOPPED]


def test_a_display_whose_pipe_is_closed_does_not_end_the_run(study):
    environment = os.environ | ALONE
    run = subprocess.Popen(study.command(TRAIN), cwd=study.folder, stderr=subprocess.PIPE, text=True, env=environment)
    run.stderr.readline()
    run.stderr.close()
    assert run.wait(timeout=300) == 0
    assert (study.folder / TRAIN).exists()


def test_a_display_on_a_full_disk_does_not_end_the_run(study):
    with open("/dev/full", "w") as full:
        command, environment = study.command(TRAIN), os.environ | ALONE
        subprocess.run(command, cwd=study.folder, stdout=full, stderr=full, check=True, env=environment)
    assert (study.folder / TRAIN).exists()


def test_without_a_stream_for_the_display(study):
    study.done(TRAIN, preexec_fn=lambda: os.close(2), env=os.environ | ALONE)
    assert (study.folder / TRAIN).exists()
