"""How often Snakemake looks: for jobs to start, in a run on one machine, and for jobs that have ended, on a cluster."""

import asyncio
from typing import Any

BY_DEFAULT = 100, 1  # jobs, seconds


def lift_default_limit(workflow: Any) -> None:
    """Lift Snakemake's limit of 100 jobs per second in a local run, which has no queue to spare.

    Under a limit every look for jobs sets a timer for another one a second later, and every job that ends adds one:
    after a hundred jobs Snakemake looks a hundred times a second. A limit that a user has set stays.
    """
    limit = workflow.scheduler.job_rate_limiter
    if workflow.local_exec and limit is not None and (limit.max_jobs, limit.timespan) == BY_DEFAULT:
        workflow.scheduler.job_rate_limiter = None


def limit_pauses(workflow: Any) -> None:
    """Let no executor pause for longer between two looks at its jobs than ``--seconds-between-status-checks``.

    SLURM's looks ten seconds later each time that no job has ended, up to three minutes: most of a study of short jobs.
    """
    executor, most = workflow.scheduler._executor, workflow.remote_execution_settings.seconds_between_status_checks
    if not hasattr(executor, "next_seconds_between_status_checks"):
        return

    async def sleep() -> None:
        await asyncio.sleep(min(executor.next_seconds_between_status_checks, most))

    executor.sleep = sleep
