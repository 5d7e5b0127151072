"""Jobs that failed run again, whatever the next command asks for."""

import os
from typing import Any


def run_failed_again(workflow: Any) -> None:
    """Mark the outputs of jobs without a receipt as incomplete.

    Snakemake restores what a failed job had written before, as of now, so that it looks newer than the input that made
    the job fail. The missing receipt tells, but only a command that asks for all receipts sees it.
    """
    for job in workflow.dag.jobs:
        receipt = getattr(job.output, "receipt", None)
        if receipt is not None and not os.path.exists(receipt):
            workflow.persistence.started(job)
