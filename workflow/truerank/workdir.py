"""The folder that a study runs in, and the processes that run there."""

import fcntl
import os
import shutil
from pathlib import Path

_held = []


def share_imports():
    """Let every job and notebook import this package, whichever environment Snakemake puts it in."""
    here = str(Path(__file__).parents[1])
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join([here, *(path for path in before if path not in ("", here))])


def take_over(folder=".snakemake"):
    """Hold this work folder until the process ends, and remove Snakemake's locks if nobody else holds it.

    The system releases the hold of a process that dies, so after a kill -9 the same command just works. While another
    run is alive Snakemake's own locks stay, and Snakemake refuses.
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
    return True
