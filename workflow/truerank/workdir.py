"""Know whether another run is at work in this folder, and clear what a killed one left behind."""

import fcntl
import os
import shutil
from pathlib import Path

_held = []


def take_over(folder=".snakemake"):
    """Hold this work folder until the process ends, and remove Snakemake's locks if nobody else holds it.

    The operating system gives a dead process's hold back, so after a kill -9 the same command just works. While
    another run is alive Snakemake's own locks stay, and Snakemake refuses.
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
