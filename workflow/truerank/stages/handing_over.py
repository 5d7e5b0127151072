"""Start jobs quickly: hand them over to a process that has imported what most stages need.

A small job spends more time on imports than on work. The first job of a local run starts that process, the *starter*
(``warm_start``), and runs by itself; later jobs hand their script over to it, and import as little as they can before.
"""

import json
import os
import socket
import sys
from contextlib import suppress

RUN = "TRUERANK_WARM_STARTS"  # the process of Snakemake whose jobs may use a starter
FORKED = "TRUERANK_FORKED"
FOLDER = ".snakemake"  # relative, since the path of a socket must be short
LENGTH = 8  # bytes in front of a request
EARLY = os.path.join(os.path.dirname(__file__), "early")  # where Python finds what it imports before a script


def allow_warm_starts(local: bool) -> None:
    """Let the jobs of this process use a starter, if they run on this machine and it tells when a process has ended."""
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    path = [folder for folder in before if folder not in ("", EARLY)]
    os.environ.pop(RUN, None)
    if local and hasattr(os, "pidfd_open"):
        os.environ[RUN] = str(os.getpid())
        path = [EARLY, *path]
    os.environ["PYTHONPATH"] = os.pathsep.join(path)


def hand_over() -> int | None:
    """Let the starter of this run execute the script of this job; return its exit status, None if it did not."""
    run = os.environ.get(RUN)
    if run is None or FORKED in os.environ:
        return None
    path = f"{FOLDER}/truerank-{run}.socket"
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(path)
        except OSError:
            start(run, path)
            return None
        request = json.dumps({"script": sys.argv[0], "folder": os.getcwd(), "environment": {**os.environ}}).encode()
        try:
            socket.send_fds(connection, [len(request).to_bytes(LENGTH)], [0, 1, 2])
            connection.sendall(request)
            answer = connection.recv(LENGTH)
        except OSError:
            return None
    return int(answer) if answer else None


def start(run: str, path: str) -> None:
    """Start the starter of a run, unless another job has done so: it holds the lock for as long as it lives."""
    import fcntl  # these take long, and one job in a run needs them
    import subprocess

    from truerank.extensions import VARIABLE as EXTENSIONS

    with suppress(OSError), open(f"{path}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        subprocess.Popen(
            [sys.executable, "-m", "truerank.stages.warm_start", run, path],
            env={**os.environ, **threads, FORKED: "1", EXTENSIONS: ""},  # a user's own code runs in its jobs alone
            pass_fds=[lock.fileno()],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
