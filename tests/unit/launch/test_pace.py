"""A local run looks for jobs when one has ended, and not again and again in between."""

import subprocess
import sys

import pytest

SNAKEFILE = """
from truerank.launch.pace import lift_default_limit

onstart:
    lift_default_limit(workflow)

onsuccess:
    limit = workflow.scheduler.job_rate_limiter
    print("limit", limit and limit.max_jobs)

rule all:
    output: "done"
    shell: "touch {output}"
"""


@pytest.mark.parametrize(
    ("options", "left"),
    [((), "limit None"), (("--max-jobs-per-timespan", "7/1s"), "limit 7")],
    ids=["default limit is lifted", "a user's limit stays"],
)
def test_limit_of_jobs_per_second(tmp_path, options, left):
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    command = [sys.executable, "-m", "snakemake", "--cores", "1", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert left in done.stdout.splitlines()
