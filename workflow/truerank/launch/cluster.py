"""Ask whether SLURM's controller answers, before a run waits for it; ``python -m`` with this module asks alone."""

import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import IO, Any

QUESTIONS = (["sinfo", "--noheader", "--format=%P"], ["squeue", "--me", "--noheader"])  # one answer is enough
SECONDS = 10
MAY_CHOOSE = ("-e", "--e", "--pr", "--default-s")  # how options begin that name an executor, a storage, or a profile
INSTEAD = "run this on a machine of the cluster, or leave out --profile to run it on this one"


def cluster_flaw(arguments: Sequence[str]) -> str | None:
    """Return what is wrong with SLURM or a bucket if Snakemake's ``arguments`` ask for them, None if nothing is."""
    if "SNAKEMAKE_PROFILE" not in os.environ and not any(word.startswith(MAY_CHOOSE) for word in arguments):
        return None
    from truerank.launch.bucket import bucket_flaw

    choices = choices_of(arguments)
    return bucket_flaw(choices) or (slurm_flaw() if choices.executor == "slurm" and not choices.dryrun else None)


def choices_of(arguments: Sequence[str]) -> Any:
    """Return what Snakemake makes of its ``arguments``, with those of its profiles."""
    from snakemake.cli import parse_args

    with contextlib.redirect_stderr(io.StringIO()):  # it tells once more which profile it uses
        return parse_args(arguments)[1]


def slurm_flaw(seconds: float = SECONDS) -> str | None:
    """Return a sentence if SLURM is not here or does not answer in time, None if it does."""
    if shutil.which("sbatch") is None:
        return f"there is no SLURM here (no sbatch); {INSTEAD}: docs/cluster.md"
    asked = [ask(question) for question in QUESTIONS if shutil.which(question[0])]
    end = time.monotonic() + seconds
    try:
        while any(process.poll() is None for process, _ in asked) and time.monotonic() < end:
            if any(process.poll() == 0 for process, _ in asked):
                return None
            time.sleep(0.05)
        if not asked or any(process.poll() == 0 for process, _ in asked):
            return None
        said = next(filter(None, (last_line(words) for _, words in asked)), f"nothing in {seconds} seconds")
        return f"SLURM's commands are here, but no controller answers ({said}); {INSTEAD}"
    finally:
        for process, words in asked:
            process.kill()
            words.close()


def ask(question: Sequence[str]) -> tuple[subprocess.Popen, IO[str]]:
    """Start a command; return its process and the file of its complaints."""
    words = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  closed by the caller
    return subprocess.Popen(question, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=words), words


def last_line(words: IO[str]) -> str | None:
    words.seek(0)
    return next((line.strip() for line in reversed(words.readlines()) if line.strip()), None)


if __name__ == "__main__":
    flaw = slurm_flaw()
    sys.exit(flaw and f"truerank: {flaw}")
