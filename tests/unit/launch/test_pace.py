"""A local run looks for jobs when one has ended, and not again and again in between; no run pauses for too long."""

import asyncio
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from truerank.launch.pace import limit_pauses

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


@pytest.mark.parametrize(("own", "most"), [(3600, 0.01), (0.01, 3600)])
def test_an_executor_pauses_as_long_as_it_wants_up_to_the_limit(own, most):
    executor = SimpleNamespace(next_seconds_between_status_checks=own)
    settings = SimpleNamespace(seconds_between_status_checks=most)
    limit_pauses(SimpleNamespace(scheduler=SimpleNamespace(_executor=executor), remote_execution_settings=settings))
    with ThreadPoolExecutor(1) as thread:  # this one may have a loop of the browser's tests
        thread.submit(lambda: asyncio.run(asyncio.wait_for(executor.sleep(), 60))).result()
