"""An executor for tests: every job in an empty folder of its own, with nothing from the run but what is in the bucket.

It says of itself what the executor of Kubernetes says. Snakemake finds it by its name where PYTHONPATH leads here.
"""

import os
import signal
import subprocess
import tempfile
from pathlib import Path

from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor
from snakemake_interface_executor_plugins.settings import CommonSettings

OWN = ("PATH", "HOME")
ARITHMETIC = "OPENBLAS_"  # another type of processor sums in another order
common_settings = CommonSettings(
    non_local_exec=True,
    implies_no_shared_fs=True,
    job_deploy_sources=True,
    auto_deploy_default_storage_provider=False,  # it is installed: nothing may be downloaded here
)


class Executor(RemoteExecutor):
    """Jobs as processes, each at the head of a group of its own."""

    def run_job(self, job):
        folder = Path(tempfile.mkdtemp(prefix="job-", dir=os.environ["TRUERANK_JOBS"]))
        with open(folder / "job.log", "w") as log:
            process = subprocess.Popen(
                ["bash", "-c", self.format_job_exec(job)],
                cwd=folder,
                env={name: value for name, value in os.environ.items() if name in OWN or name.startswith(ARITHMETIC)},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        (folder / "job.pid").write_text(str(process.pid))
        self.report_job_submission(SubmittedJobInfo(job, external_jobid=folder.name, aux={"process": process}))

    async def check_active_jobs(self, active_jobs):
        for info in active_jobs:
            status = info.aux["process"].poll()
            if status is None:
                yield info
            elif status == 0:
                self.report_job_success(info)
            else:
                self.report_job_error(info)

    def cancel_jobs(self, active_jobs):
        for info in active_jobs:
            os.killpg(info.aux["process"].pid, signal.SIGTERM)
