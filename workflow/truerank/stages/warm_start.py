"""The starter of a run: a process that has imported what most stages need, and forks a child for each job.

It ends with the run, and a child ends when the job that asked for it ends, so that Ctrl-C or a kill works as it does
without. A child has the environment, the folder and the streams of its job: what a job computes does not depend on how
it was started. ``handing_over`` is the job's side.
"""

import importlib
import json
import logging
import os
import runpy
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress
from typing import Any

from truerank.stages.handing_over import FORKED, LENGTH

PRELOADED = (
    *(
        "numba",
        "pandas",
        "pyarrow.dataset",
        "pyarrow.parquet",
        "scipy.linalg",
        "scipy.sparse",
        "snakemake.logging",
        "threadpoolctl",
        "yaml",
    ),
    *("truerank.json_schema", "truerank.artefacts.receipts", "truerank.config.study", "truerank.core.evaluation"),
    *("truerank.core.ranking", "truerank.core.significance", "truerank.meta.compiled.sums"),
)


class Starter:
    """The process that forks for the jobs of one run."""

    def __init__(self, run: int, path: str) -> None:
        self.run_ends = os.pidfd_open(run)
        self.path = path
        self.listener = socket.socket(socket.AF_UNIX)
        self.children: dict[int, tuple[int, socket.socket]] = {}  # descriptor -> process, and the connection of its job
        with suppress(FileNotFoundError):  # of a run that had this number before
            os.unlink(path)
        before = os.umask(0o077)  # nobody else may connect
        self.listener.bind(path)
        os.umask(before)

    def serve(self) -> tuple[dict[str, Any], socket.socket] | None:
        """Fork for every job that asks, until the run ends; in a child, return its job's request and connection."""
        self.listener.listen()
        while True:
            jobs = {connection: child for child, (_, connection) in self.children.items()}
            watched: list[int | socket.socket] = [self.run_ends, self.listener, *self.children, *jobs]
            ready, _, _ = select.select(watched, [], [])
            if self.run_ends in ready:
                self.close()
                return None
            for each in ready:
                if each is self.listener:
                    request = self.fork()
                    if request:
                        return request
                elif isinstance(each, int):
                    self.settle(each)
                elif jobs[each] in self.children:  # the job has ended before its child
                    self.settle(jobs[each], kill=True)

    def fork(self) -> tuple[dict[str, Any], socket.socket] | None:
        """Fork for a job; return its request and connection in the child, None in the starter."""
        connection, _ = self.listener.accept()
        try:
            length, streams, _, _ = socket.recv_fds(connection, LENGTH, 3)
            with connection.makefile("rb") as sent:
                request = json.loads(sent.read(int.from_bytes(length)))
        except (OSError, ValueError):  # the job was killed meanwhile
            connection.close()
            return None
        process = os.fork()
        if process:
            self.children[os.pidfd_open(process)] = process, connection
        else:
            os.setsid()
            for place, stream in enumerate(streams):
                os.dup2(stream, place)
            for each in (self.listener, *(job for _, job in self.children.values())):
                each.close()
        for stream in streams:
            os.close(stream)
        return None if process else (request, connection)

    def settle(self, child: int, kill: bool = False) -> None:
        """Tell a job how its child ended, after ending the child and all that it started if the job is gone."""
        process, connection = self.children.pop(child)
        if kill:
            with suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        with suppress(OSError), connection:
            connection.sendall(str(status if status >= 0 else 128 - status).encode())
        os.close(child)

    def close(self) -> None:
        for child in list(self.children):
            self.settle(child, kill=True)
        with suppress(OSError):
            os.unlink(self.path)
            os.unlink(f"{self.path}.lock")


def prepare() -> None:
    """Do once what every job would do first: import, enter all pieces, read what Numba knows, find the libraries."""
    for module in PRELOADED:
        importlib.import_module(module)
    from numba.core.registry import cpu_target

    from truerank.blas import blas_libraries
    from truerank.registry import REGISTRIES

    for registry in REGISTRIES:
        _ = registry.entries
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    blas_libraries()


def has_ended(job: socket.socket) -> bool:
    """Tell whether a job is gone: it sends nothing after its request, so its connection has something to read then."""
    return bool(select.select([job], [], [], 0)[0])


def execute(script: str, job: socket.socket) -> int:
    """Run a script as Python itself would; return its exit status.

    After Ctrl-C the job ends first, and its script is removed, so an error of a job that is gone means nothing.
    """
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        if not has_ended(job):
            traceback.print_exc()
        return 1
    return 0


def leave(status: int) -> None:
    """End this process without taking it apart: that takes ten times as long as a small job."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def main(run: str, path: str) -> None:
    try:
        starter = Starter(int(run), path)
    except OSError:  # the run has ended already, or the folder takes no sockets: jobs run by themselves
        return
    prepare()
    asked = starter.serve()
    if asked:
        request, job = asked
        os.environ.clear()
        os.environ.update({**request["environment"], FORKED: "1"})
        os.chdir(request["folder"])
        sys.argv = [request["script"]]
        leave(execute(request["script"], job))


if __name__ == "__main__":
    main(*sys.argv[1:])
