"""What Snakemake looked at when it found nothing to do, so that the same question is answered without loading it.

``truerank run`` leaves a question for the Snakemake that it becomes: the command, and the variables that matter. If
Snakemake finds nothing to do, it records the question and the state of every file that its answer may depend on. As
long as all of it is the same, so is the answer; anything else goes to Snakemake.
"""

import contextlib
import fcntl
import hashlib
import json
import logging
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from truerank.provenance import PathLike, whole
from truerank.workflow_files import PACKAGE, ROOT

RECORD, LOCK = ".snakemake/truerank.unchanged.json", ".snakemake/truerank.lock"
QUESTION = "TRUERANK_QUESTION"
OWN = ("Snakefile", "config.yaml", "workflow", "notebooks", "profiles", "envs")  # of the workflow
KEPT = (".snakemake/metadata", ".snakemake/incomplete")  # what Snakemake knows of earlier jobs
CACHE = "__pycache__"
VARIABLES = ("TRUERANK_", "SNAKEMAKE_", "PYTHON", "XDG_", "HOME")
State = list[int] | dict[str, list[str]] | None


def question(command: Sequence[str]) -> str:
    """Return a hash of a command and of the variables that change what it does."""
    ours = {name: value for name, value in os.environ.items() if name.startswith(VARIABLES)}
    ours = {name: value for name, value in ours.items() if name not in ("TRUERANK_RUN", QUESTION)}
    return hashlib.sha256(json.dumps([list(command), ours, sys.version], sort_keys=True).encode()).hexdigest()


def ask(command: Sequence[str]) -> None:
    """Leave the question for the Snakemake that this process becomes."""
    os.environ[QUESTION] = f"{os.getpid()}:{question(command)}"


def answered(command: Sequence[str], folder: PathLike) -> bool:
    """Tell whether Snakemake has found nothing to do for this command, and nothing has changed since."""
    try:
        record = json.loads(Path(folder, RECORD).read_text(encoding="utf-8"))
        same = record["question"] == question(command)
        return same and is_free(Path(folder, LOCK)) and all(map(is_same(folder), record["files"].items()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # none, or one that was damaged
        return False


def is_free(lock: Path) -> bool:
    """Tell whether no run is at work in the folder of a lock."""
    with open(lock, "rb") as handle, contextlib.suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def is_same(folder: PathLike) -> Any:
    """Return a function that tells whether a recorded file is as it was, and not from the future."""
    now = time.time_ns()

    def check(recorded: tuple[str, State]) -> bool:
        path, before = recorded
        return state(os.path.join(folder, path)) == before and (not isinstance(before, list) or before[1] <= now)

    return check


def state(path: str) -> State:
    """Return size, times of change of content and of anything, and number of a file, None if it is not there.

    Of a folder whose path ends as one, return the names in it: Python adds its cache to it when it first reads a file.
    """
    try:
        if path.endswith(os.sep):
            return {"names": sorted({*os.listdir(path)} - {CACHE})}
        found = os.stat(path)
    except OSError:
        return None
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]


class Recorder(logging.Handler):
    """Records the answer at the moment when Snakemake gives it."""

    def __init__(self, workflow: Any, asked: str) -> None:
        super().__init__(logging.INFO)
        self.workflow, self.asked = workflow, asked

    def emit(self, record: logging.LogRecord) -> None:
        if str(record.msg).startswith("Nothing to be done"):
            keep(self.asked, looked_at(self.workflow))


def listen(workflow: Any, logger: logging.Logger) -> None:
    """Record the answer of this Snakemake, if ``truerank run`` asked and it finds nothing to do."""
    pid, _, asked = os.environ.get(QUESTION, "").partition(":")
    if pid == str(os.getpid()):
        logger.addHandler(Recorder(workflow, asked))


def keep(asked: str, paths: Iterable[str]) -> None:
    """Write the record, unless a file has changed since the run began."""
    files = {path: state(path) for path in dict.fromkeys(paths)}
    began = os.stat(LOCK).st_mtime_ns  # by the clock of the disk
    if all(not isinstance(of, list) or of[2] < began for of in files.values()):
        with whole(RECORD) as temporary:
            temporary.write_text(json.dumps({"question": asked, "files": files}), encoding="utf-8")


def looked_at(workflow: Any) -> Iterator[str]:
    """Yield what the answer may depend on: artefacts, data, configs, rules, code, packages, and Snakemake's memory."""
    for job in workflow.dag.jobs:
        yield from below([*job.input, *job.output])
    modules = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    yield from map(str, [*workflow.configfiles, *filter(None, modules), *filter(None, sys.path)])
    extensions = os.environ.get("TRUERANK_EXTENSIONS", "").split(os.pathsep)
    yield from below({os.path.dirname(path) for path in extensions if path}, only=".py")
    yield from below([PACKAGE, *(ROOT / name for name in OWN), *KEPT])


def below(paths: Iterable[PathLike], only: str = "") -> Iterator[str]:
    """Yield paths and all that is below them. only : the ending of files; then not what is in folders below."""
    for path in map(str, paths):
        yield os.path.join(path, "") if os.path.isdir(path) else path
        for folder, folders, names in os.walk(path):
            folders[:] = [] if only else [name for name in folders if name != CACHE]
            yield from (os.path.join(folder, name, "") for name in folders)
            yield from (os.path.join(folder, name) for name in names if name.endswith(only))
