"""Show a run as one line of progress, and a failure as one sentence with the path of its log.

Snakemake finds this package by its name (``--logger truerank``, set in the default profile). Everything else that
Snakemake has to say is in its own log under ``.snakemake/log``.
"""

import logging
import sys
from collections.abc import Callable, Sequence
from typing import Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from truerank.launch import check_command

from snakemake_logger_plugin_truerank.display import Display
from snakemake_logger_plugin_truerank.failure import (
    NOT_STARTED,
    clock_flaw,
    disk_flaw,
    is_broken_off,
    lines_of,
    sentence_in,
)
from snakemake_logger_plugin_truerank.stop import Stop
from snakemake_logger_plugin_truerank.stream import last

last()  # Snakemake imports this package before it writes its first line

# What Snakemake adds to a job's own failure: before it, and after it.
FORERUNNERS = ("RuleException", "CalledProcessError", "SpawnedJobError")
ECHOES = (
    "Exiting because a job execution failed",
    "Restored previous version",
    "Cannot restore",
    "At least one job did not complete",
    "Ignore corrupted or currently written metadata record",
)


class LogHandler(LogHandlerBase):
    """Turn Snakemake's events into a display of progress."""

    def __post_init__(self) -> None:
        self.display = Display(sys.stderr)  # before a check ends the process, which closes its handlers
        check_command(sys.argv[1:])  # of a plain `snakemake`, which reads config files next and then waits for clusters
        self.stop = Stop(self.display.say, self.display.close)
        self.stop.listen()
        self.failed = False
        self.shown: set[int | str] = set()
        self.on: dict[LogEvent, Callable[[Any], None]] = {
            LogEvent.RUN_INFO: lambda record: self.display.plan(record.stats),
            LogEvent.JOB_INFO: self.job_info,
            LogEvent.JOB_STARTED: lambda record: self.display.start(job for job in record.jobs if isinstance(job, int)),
            LogEvent.GROUP_INFO: lambda record: self.display.start(job.jobid for job in record.jobs),
            LogEvent.JOB_FINISHED: lambda record: self.display.finish(record.job_id),
            LogEvent.JOB_ERROR: self.job_error,
            LogEvent.GROUP_ERROR: self.group_error,
            LogEvent.ERROR: self.error,
        }

    def emit(self, record: logging.LogRecord) -> None:
        """Show one event, unless Ctrl-C has ended the run; a defect here must never stop it."""
        if self.stop.asked.is_set():
            return
        try:
            event = getattr(record, "event", None)
            if event in self.on:
                self.on[event](record)
            elif event is None:
                self.remark(record)
        except Exception:
            self.handleError(record)

    def job_info(self, record: Any) -> None:
        self.display.describe(record.jobid, record.rule_name, record.wildcards, getattr(record, "log", ()))
        if self.common_settings.dryrun:
            self.display.say(f"would run {self.display.title(record.jobid)}: {record.reason.partition(':')[0].lower()}")

    def job_error(self, record: Any) -> None:
        self.job_failed(record.rule_name, record.jobid, record.log)

    def group_error(self, record: Any) -> None:
        """Tell which jobs of a group failed: Snakemake names them all, those that were done or had not begun too."""
        infos = record.job_error_info
        if any(lines_of(path) for info in infos for path in info["log"]):
            for info in [info for info in infos if is_broken_off(info["log"])] or infos:
                self.job_failed(**info)
        else:
            self.none_started(infos[0]["rule_name"], infos[0]["jobid"], len(infos) - 1)
        self.shown |= {info["jobid"] for info in infos}  # it names each of them once more

    def none_started(self, rule_name: str, jobid: int, others: int) -> None:
        self.failed = True
        if jobid not in self.shown:
            jobs = f"{self.display.title(jobid, rule_name)} and {others} more jobs of its group"
            self.display.say(f"{jobs} failed: {NOT_STARTED}")

    def job_failed(self, rule_name: str, jobid: int, log: Sequence[str], **_: object) -> None:
        self.failed = True
        self.display.finish(jobid, failed=True)
        if jobid not in self.shown:
            self.shown.add(jobid)
            self.display.say(f"{self.display.title(jobid, rule_name)} failed: {sentence_in(log)}")
            self.display.say(f"  log: {', '.join(log)}")

    def error(self, record: Any) -> None:
        """Tell an error that is not a job's: one line where it is known to be a user's, all of it otherwise."""
        if self.is_told(clock_flaw(record.getMessage())):
            self.failed = True
            return
        if record.exception in FORERUNNERS or (self.failed and record.exception == "WorkflowError"):
            return
        if self.is_told(disk_flaw(record.getMessage())):
            return
        locked = "truerank: another snakemake is at work in this folder; wait until it ends, or stop it"
        self.display.say(locked if record.exception == "LockException" else record.getMessage())

    def remark(self, record: logging.LogRecord) -> None:
        text = str(record.getMessage())
        if text.startswith("Nothing to be done"):
            self.display.say("Nothing to do: all results are there and up to date.")
        elif record.levelno < logging.WARNING or text.startswith(ECHOES):
            return
        elif not self.is_told(disk_flaw(text)):
            self.display.say(text)

    def is_told(self, flaw: str | None) -> bool:
        """Tell a flaw that many jobs may meet once, if there is one."""
        if flaw and flaw not in self.shown:
            self.shown.add(flaw)
            self.display.say(f"truerank: {flaw}")
        return flaw is not None

    def close(self) -> None:
        self.display.close()
        super().close()

    @property
    def writes_to_stream(self) -> bool:
        return True

    @property
    def writes_to_file(self) -> bool:
        return False

    @property
    def has_filter(self) -> bool:
        return True

    @property
    def has_formatter(self) -> bool:
        return True

    @property
    def needs_rulegraph(self) -> bool:
        return False
