"""What a job cost: its seconds and the most memory that it held, as its benchmark file and its log tell it."""

import csv
import os
import re
import resource
import sys
from pathlib import Path

MEGABYTE = 2**20
UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
PEAK = re.compile(r"peak memory (\d+) MB")


def peak_line() -> str:
    """Return what a job that ends well writes into its log."""
    return f"peak memory {peak_memory():.0f} MB, processor time {processor_time():.1f} s"


def processor_time() -> float:
    """Return the seconds of processor time of this process and of those that it started and that have ended.

    A benchmark file has that of the script alone, which lets a process work that has loaded the package already.
    """
    return sum(os.times()[:4])


def peak_memory() -> float:
    """Return the most megabytes that this process, or one that it started and that has ended, ever held.

    Its own are the kernel's record: ``ru_maxrss`` alone may be that of the process which started this one.
    """
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * UNIT
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:  # not Linux
        status = ""
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    own = int(found[1]) * 1024 if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT
    return max(own, children) / MEGABYTE


def cost_of(results: Path, job: str) -> tuple[float, float]:
    """Return the seconds and the most megabytes of a finished job, such as ``train_model/ml-100k/holdout/ease``.

    Snakemake adds up all processes of a job but looks only now and then, after 15 seconds twice a minute; the log has
    the true peak of the largest process. The greater one counts; without either it is 0.
    """
    with open(results / "benchmarks" / f"{job}.tsv", encoding="utf-8") as handle:
        row = list(csv.DictReader(handle, delimiter="\t"))[-1]
    seen = 0 if row["max_rss"] in ("NA", "-", "") else float(row["max_rss"])
    log = results / "logs" / f"{job}.log"
    peaks = PEAK.findall(log.read_text(encoding="utf-8", errors="replace")) if log.exists() else []
    return float(row["s"]), max([seen, *map(float, peaks)])


def finished_jobs(results: Path) -> list[str]:
    """Return the jobs that have a benchmark file, in the order in which they ended."""
    folder = results / "benchmarks"
    files = sorted(folder.rglob("*.tsv"), key=lambda path: (path.stat().st_mtime, path))
    return [path.relative_to(folder).with_suffix("").as_posix() for path in files]
