"""Run a study from Python."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from truerank.errors import UserError
from truerank.provenance import PathLike, whole

WRITTEN = Path(".snakemake", "truerank", "study.yaml")  # where a study that is no file goes, for every job to read
PREFIX = "truerank: "


def run_study(
    config: PathLike | Mapping[str, Any] | None = None,
    *,
    directory: PathLike = ".",
    cores: int | None = None,
    options: Sequence[str] = (),
) -> Path:
    """Run a study as ``truerank run`` does, and return its folder of results.

    config : the path of a config file, the name of a ready study, or the config itself; None for the default study.
    directory : the work directory, where ``results`` is written. cores : None for all. options : options of Snakemake.
    Progress goes to standard error; if the run fails, the UserError contains the last message.

    With a config that exists, or ``tr.run_study("krichene2020")``, this is ``Path("results")``:

    >>> import truerank as tr
    >>> tr.run_study("none.yaml")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    ...
    truerank.errors.UserError: the study was not finished: none.yaml cannot be read: no such file or directory; ..
    """
    studies = []
    if isinstance(config, Mapping):
        studies = [str(written(config, Path(directory) / WRITTEN))]
    elif config is not None:
        studies = [os.fspath(config)]
    command = [sys.executable, "-m", "truerank", "run", *studies, "--directory", os.fspath(directory)]
    command += [] if cores is None else ["--cores", str(cores)]
    status, said = followed([*command, "--", *options])
    if status:
        failed = next((line for line in said if " failed: " in line or line.startswith(PREFIX)), None)
        sentence = failed or (said[-1] if said else f"it ended with status {status}")
        raise UserError(f"the study was not finished: {sentence.removeprefix(PREFIX)}")
    return Path(directory) / "results"


def written(config: Mapping[str, Any], path: Path) -> Path:
    """Write a config to a file, unless it is there already: its time would make results look old."""
    import yaml

    try:
        text = yaml.safe_dump(dict(config), sort_keys=False, allow_unicode=True)
    except yaml.YAMLError as failure:
        raise UserError(f"the config has a value that is not a number, text, list or dict: {failure}") from None
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        with whole(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return path


def followed(command: Sequence[str]) -> tuple[int, list[str]]:
    """Run a command, repeat on standard error what it says there, and return its exit status and these lines."""
    said = []
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace") as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                said.append(line.rstrip("\n"))
                print(said[-1], file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
    return process.returncode, said
