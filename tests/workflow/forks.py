"""Run Snakemake in a fork of a process that has imported it: half of a small run, and most of a dry one, is imports.

One such process serves the tests of one worker, and one starter (``truerank.stages.warm_start``) all jobs of its runs;
it has imported what pages need, too.
What is run is what the command would run; tests of the command itself, of signals and of kills start real processes.
"""

import atexit
import functools
import importlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

FOR_PAGES = (
    *("black", "jinja2", "matplotlib.backends.backend_svg", "matplotlib.figure", "mistune", "nbconvert.exporters"),
    *("papermill", "seaborn", "truerank.report.draw", "truerank.stages.render_notebook"),
)


class Server:
    """The process that forks, as its client sees it."""

    def __init__(self):
        command = [sys.executable, __file__]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.close)

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def run(self, command, cwd, timeout, shared_starter):
        """Do as ``subprocess.run`` does with output captured as text. command : of Snakemake, its path first."""
        with tempfile.TemporaryDirectory() as folder:
            out, err = (os.path.join(folder, name) for name in ("out", "err"))
            request = {"command": command, "folder": str(cwd), "seconds": timeout, "out": out, "err": err}
            request |= {"environment": {**os.environ}, "shared_starter": shared_starter}
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            status = int(self.process.stdout.readline())
            out, err = (Path(path).read_text(encoding="utf-8") for path in (out, err))
        if status == -signal.SIGALRM:
            raise subprocess.TimeoutExpired(command, timeout, out, err)
        return subprocess.CompletedProcess(command, status, out, err)


@functools.cache
def server():
    """Return the server of this process, which ends with it."""
    return Server()


def serve():
    """Fork for every line of standard input."""
    folder = tempfile.mkdtemp()  # a TemporaryDirectory would go with the first child that ends
    path = os.path.join(folder, "starter")
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = [sys.executable, __file__, str(os.getpid()), path]
    starter = subprocess.Popen(command, stdin=subprocess.DEVNULL, env={**os.environ, **threads})
    try:
        main = prepared()
        wait_for(path, starter)
        for line in sys.stdin:
            request = json.loads(line)
            process = os.fork()
            if not process:
                become(request, path, main)
            status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            if status == -signal.SIGALRM:
                with suppress(ProcessLookupError):
                    os.killpg(process, signal.SIGKILL)
            print(status, flush=True)
    finally:
        starter.kill()
        starter.wait()
        shutil.rmtree(folder)


def prepared():
    """Import what every run imports, its plugins and our registries among them; return the program."""
    import pandas  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import scipy.sparse  # noqa: F401
    import snakemake.cli
    from truerank.config.checks import check_config
    from truerank.config.merging import merged

    snakemake.cli.get_argument_parser()
    check_config(*merged({}))
    return snakemake.cli.main


def start_jobs(run, path):
    """Be the starter, and import what pages need before anything is asked for."""
    from truerank.stages import warm_start

    for module in FOR_PAGES:
        importlib.import_module(module)
    warm_start.main(run, path)


def wait_for(path, starter):
    """Wait until the starter answers at its socket."""
    while starter.poll() is None:
        with socket.socket(socket.AF_UNIX) as connection:
            if connection.connect_ex(path) == 0:
                return
        time.sleep(0.05)
    sys.exit("the starter of jobs has ended")


def become(request, starter, main):
    """Turn this fork into the process that was asked for, and run it to its end."""
    os.setsid()
    for place, path in enumerate((os.devnull, request["out"], request["err"])):
        opened = os.open(path, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, place)
        os.close(opened)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv = request["command"]
    if request["shared_starter"]:
        os.makedirs(".snakemake", exist_ok=True)
        os.symlink(starter, f".snakemake/truerank-{os.getpid()}.socket")
    signal.alarm(request["seconds"])
    status = 1
    try:
        main()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    start_jobs(*sys.argv[1:]) if sys.argv[1:] else serve()
