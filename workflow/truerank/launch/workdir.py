"""The folder that a study runs in, and the processes that run there."""

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from truerank.errors import UserError
from truerank.workflow_files import IS_CLONE, PACKAGE

PathLike = Path | str

STEP = 1_000  # nanoseconds; Snakemake's times are floats, which cannot tell less than a quarter of that apart

RUN = "TRUERANK_RUN"  # what `truerank run` leaves for the Snakemake that it becomes

_held: list[int] = []


def share_imports(package: Path = PACKAGE, folder: PathLike = ".snakemake") -> None:
    """Let every job and notebook import this package, whichever environment Snakemake puts it in.

    Beside an installed package are others, of this environment; jobs get a folder where this one is alone.
    """
    here = str(package.parent)
    if not IS_CLONE:
        here = os.path.join(os.path.abspath(folder), "imports")
        link_alone(package, Path(here))
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join([here, *(path for path in before if path not in ("", here))])


def link_alone(package: Path, folder: Path) -> None:
    """Make a folder with a link to a package, and nothing else; several processes may do so at once."""
    link = folder / package.name
    if not link.exists() or not link.samefile(package):
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f".{package.name}.{os.getpid()}"
        temporary.symlink_to(package, target_is_directory=True)
        os.replace(temporary, link)


def hold_folder(folder: PathLike = ".", through_exec: bool = False) -> None:
    """Acquire the lock of a work folder, unless ``truerank run``, which this process was, has it already.

    through_exec : this process becomes Snakemake, and keeps the lock.
    """
    pid, _, held = os.environ.get(RUN, "").partition(":")
    handle, _, where = held.partition(":")
    if pid == str(os.getpid()) and where == os.path.realpath(folder):
        os.set_inheritable(int(handle), False)  # a job that outlives this process must not hold the folder
        return
    try:
        acquired = acquire_run_lock(Path(folder, ".snakemake"), Path(folder, "results"))
    except OSError as failure:
        reason = (failure.strerror or str(failure)).lower()
        raise UserError(
            f"this folder cannot be written: {reason}; free some space or correct the permissions"
        ) from None
    if acquired and through_exec:
        os.set_inheritable(_held[-1], True)
        os.environ[RUN] = f"{os.getpid()}:{_held[-1]}:{os.path.realpath(folder)}"


def acquire_run_lock(folder: PathLike = ".snakemake", results: PathLike = "results") -> bool:
    """Hold this work folder until the process ends, and remove Snakemake's locks if nobody else holds it.

    The system releases the hold of a process that dies, so after a kill -9 the same command just works. While another
    run is alive Snakemake's own locks stay, and Snakemake refuses. Results from the future get times up to now, by the
    clock of the disk: a file server's may differ from this machine's.
    """
    Path(folder).mkdir(exist_ok=True)
    handle = os.open(Path(folder) / "truerank.lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return False
    _held.append(handle)
    shutil.rmtree(Path(folder) / "locks", ignore_errors=True)
    os.utime(handle)
    clamp_future_mtimes(results, os.fstat(handle).st_mtime_ns)
    return True


def clamp_future_mtimes(folder: PathLike, now: int) -> None:
    """Give files that are newer than ``now``, since the clock was set back, times up to now in the order that they had.

    Snakemake refuses an output that is older than an input. The oldest goes first and all stay behind the files that
    are not moved, so the order holds after a kill half way, too. What may not be moved stays, and all that is newer.
    """
    times = dict(modified(folder))
    future = sorted((time, path) for path, time in times.items() if time > now)
    groups = [[path for _, path in group] for _, group in groupby(future, key=lambda pair: pair[0])]
    newest = max((time for time in times.values() if time <= now), default=0)
    start = max(newest, now - STEP * len(groups))
    for place, paths in enumerate(groups, 1):
        for path in paths:
            try:
                os.utime(path, ns=(now, start + STEP * place))
            except FileNotFoundError:
                continue
            except OSError:
                return


def modified(folder: PathLike) -> Iterator[tuple[str, int]]:
    """Yield every file below a folder with the time of its last change; links are not the workflow's own."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        with contextlib.suppress(FileNotFoundError):
            if entry.is_dir(follow_symlinks=False):
                yield from modified(entry.path)
            elif entry.is_file(follow_symlinks=False):
                yield entry.path, entry.stat(follow_symlinks=False).st_mtime_ns
