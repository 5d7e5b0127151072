"""A ``python`` whose ``-m snakemake`` is a fork of a process that has imported it; a job elsewhere starts it twice.

The program is in a folder for ``PATH``. A fork has the environment, the folder and the streams of the program that
asked for it, and ends with that program, as the starter of jobs has it (``truerank.stages.warm_start``).
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import snakemake
from truerank.stages.handing_over import LENGTH
from truerank.stages.warm_start import Starter, execute, leave

from tests.support import ROOT
from tests.workflow.conftest import wait_for
from tests.workflow.forks import prepared

PYTHON = """\
#!{python} -IS
import json, os, socket, sys
if sys.argv[1:3] != ["-m", "snakemake"]:
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
request = {{"arguments": sys.argv[3:], "folder": os.getcwd(), "environment": {{**os.environ}}}}
request = json.dumps(request).encode()
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect({path!r})
    socket.send_fds(connection, [len(request).to_bytes({length})], [0, 1, 2])
    connection.sendall(request)
    sys.exit(int(connection.recv({length}) or 1))
"""


@contextlib.contextmanager
def ready_snakemake():
    """Yield the folder that the program is in, and be there for it meanwhile."""
    with tempfile.TemporaryDirectory() as folder:  # a short path, as a socket's must be
        program, path = Path(folder, "python"), f"{folder}/socket"
        program.write_text(PYTHON.format(python=sys.executable, path=path, length=LENGTH))
        program.chmod(0o755)
        command = [sys.executable, "-m", "tests.cluster.snakemakes", str(os.getpid()), path]
        starter = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL)
        try:
            wait_for(Path(path).exists)
            yield folder
        finally:
            starter.kill()
            starter.wait()


def main(run, path):
    prepared()
    asked = Starter(int(run), path).serve()
    if asked:
        request, job = asked
        os.environ.clear()
        os.environ.update(request["environment"])
        os.chdir(request["folder"])
        sys.argv = ["snakemake", *request["arguments"]]
        leave(execute(str(Path(snakemake.__file__).with_name("__main__.py")), job))


if __name__ == "__main__":
    main(*sys.argv[1:])
