"""How much memory this job may still take, which on a cluster or in a container is less than the machine has."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from truerank.provenance import PathLike

MEGABYTE = 1 << 20
# Of a control group: the file of its limit, that of its use, and what of that use is a cache that makes room.
FILES = {
    2: ("memory.max", "memory.current", "inactive_file"),
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
}


def free_memory(
    mount: PathLike = "/sys/fs/cgroup", groups: PathLike = "/proc/self/cgroup", environ: Mapping[str, str] = os.environ
) -> tuple[int, str]:
    """Return how many bytes are free, and the place that has no more: the least of machine, control groups and job.

    mount, groups : where the system tells of control groups; a system that does not has none. environ : tells what
    SLURM gave to the job. What a rule's ``mem_mb`` says does not count: a local run does not keep to it.
    """
    bounds = [(available(), "on this machine")]
    bounds += [(free, "in its control group") for free in free_in_groups(Path(mount), Path(groups))]
    bounds += [(given - resident(), "in its SLURM job") for given in given_by_slurm(environ)]
    free, place = min(bounds)
    return max(free, 0), place


def available(table: PathLike = "/proc/meminfo") -> int:
    """Return the bytes that the machine could still give; all it has where the system does not tell."""
    for line in Path(table).read_text().splitlines() if Path(table).is_file() else ():
        name, _, amount = line.partition(":")
        if name == "MemAvailable":
            return int(amount.split()[0]) << 10
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def resident() -> int:
    """Return the bytes that this process has; Linux tells, which SLURM runs on."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def free_in_groups(mount: Path, groups: Path) -> Iterator[int]:
    """Yield what is free in each control group that this process is in, the outer ones too, where there is a limit."""
    for line in groups.read_text().splitlines() if groups.is_file() else ():
        _, controllers, path = line.split(":", 2)
        if not controllers or "memory" in controllers.split(","):
            version, root = (1, mount / "memory") if controllers else (2, mount)
            inner = root / path.lstrip("/")
            for group in (inner, *inner.parents):
                if group.is_relative_to(root):
                    yield from free_in_group(group, *FILES[version])


def free_in_group(group: Path, limit: str, used: str, cache: str) -> Iterator[int]:
    if (group / limit).is_file() and (most := (group / limit).read_text().strip()) != "max":
        parts = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        yield int(most) - int((group / used).read_text()) + int(parts.get(cache, 0))


def given_by_slurm(environ: Mapping[str, str]) -> Iterator[int]:
    """Yield the bytes that SLURM gave to the job on this node; 0 stands for all."""
    per_cpu = int(environ.get("SLURM_MEM_PER_CPU", 0)) * int(environ.get("SLURM_CPUS_ON_NODE", 1))
    for megabytes in (int(environ.get("SLURM_MEM_PER_NODE", 0)), per_cpu):
        if megabytes:
            yield megabytes * MEGABYTE
