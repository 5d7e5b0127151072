"""Find the sentence that matters: in the log of a failed job, and in what Snakemake says of disks and clocks."""

import errno
import os
import re
import shlex
from collections.abc import Iterable

from truerank.artefacts.cost import PEAK
from truerank.errors import FULL_OR_CLOSED, MARK

REMARK = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")  # a line that tells of progress, and of no failure
SILENT = "it ended without a word, most often because it was killed or ran out of memory; run the same command again"
NOT_STARTED = (
    "the cluster started none of its jobs, most often because no node has the cores or the memory that they ask for; "
    "compare `sinfo --Node --long` with the limits of the profile, set smaller ones and run the same command again"
)


def disk_flaw(text: str) -> str | None:
    """Return a sentence if Snakemake's words are about a disk that is full or may not be written, None if not."""
    reason = next((os.strerror(number) for number in FULL_OR_CLOSED if os.strerror(number) in text), None)
    if reason is None and "Write-protected output files" in text:
        reason = os.strerror(errno.EROFS)
    return reason and (
        f"this folder cannot be written: {reason.lower()}; "
        "free some space or correct the permissions and run the same command again"
    )


SKEW = re.compile(r"has older modification time .* than input (.+) \((\S+ [\d:]+).*System time: (\S+ [\d:]+)")


def clock_flaw(text: str) -> str | None:
    """Return a sentence if Snakemake's words are about an input that is newer than what was made of it, None if not."""
    found = SKEW.search(text)
    return found and (
        f"{found[1]} is from {found[2]}, and the clock says {found[3]}; "
        f"set the clock right or run `touch {shlex.quote(found[1])}`, then run the same command again"
    )


def is_broken_off(logs: Iterable[str]) -> bool:
    """Tell whether there is a log, and none that ends as those of jobs which end well."""
    lines = [line for path in logs for line in lines_of(path)[-1:]]
    return bool(lines) and not any(PEAK.search(line) for line in lines)


def lines_of(path: str) -> list[str]:
    """Return the lines of a log that say something; none if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            return [line.strip() for line in log if line.strip()]
    except OSError:
        return []


def sentence_in(logs: Iterable[str]) -> str:
    """Return what follows the last ``error:`` in the logs or, without one, the last line of the first that has any.

    A log whose last line tells of progress is that of a job that was ended from outside, in the middle of its work.
    """
    last = ""
    for path in logs:
        lines = lines_of(path)
        marked = [line.removeprefix(MARK) for line in lines if line.startswith(MARK)]
        if marked:
            return marked[-1]
        if lines and not last:
            last = SILENT if REMARK.match(lines[-1]) else lines[-1]
    return last or SILENT
