"""How often Snakemake looks for jobs to start: in a run on one machine, when a job has ended."""

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
