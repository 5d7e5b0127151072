"""Run a study twice under different circumstances and compare every artefact, byte by byte.

    .venv/bin/python -m tests.faults.determinism FOLDER                         # the default study
    .venv/bin/python -m tests.faults.determinism FOLDER --configfile my.yaml    # another

One run has 1 core, the other 2; they differ in PYTHONHASHSEED, threads of the linear algebra, and time zone too. Left
out are pages and figures, logs and times, and the training curves, which hold seconds. FOLDER keeps both runs; a run
that was stopped goes on where it was.
"""

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SNAKEMAKE = Path(sys.executable).parent / "snakemake"
LEFT_OUT = {"logs", "benchmarks", "report", "faults"}
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def surroundings(number):
    """Return the environment of the first run (0) or the second (1)."""
    threads = dict.fromkeys(THREADS, ("1", "2")[number])
    return os.environ | threads | {"PYTHONHASHSEED": ("0", "4242")[number], "TZ": ("Asia/Kolkata", "UTC")[number]}


def run(folder, number, configfile=None, targets=()):
    folder.mkdir(parents=True, exist_ok=True)
    command = [
        SNAKEMAKE,
        *targets,
        "--cores",
        str(number + 1),
        "--snakefile",
        ROOT / "Snakefile",
        "--directory",
        folder,
    ]
    command += ["--configfile", Path(configfile).resolve()] if configfile else []
    subprocess.run(list(map(str, command)), cwd=folder, env=surroundings(number), check=True)


def checksums(folder):
    """Return path -> SHA-256 of the artefacts in a folder's results; receipts are among them."""
    results = Path(folder) / "results"
    files = (path for path in results.rglob("*") if path.is_file() and path.name != "training.parquet")
    names = {str(path.relative_to(results)): path for path in files}
    kept = {name: path for name, path in names.items() if name.split("/")[0] not in LEFT_OUT}
    kept = {name: path for name, path in kept.items() if not name.startswith("receipts/render_")}
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in sorted(kept.items())}


def compared(one, other):
    """Return how many artefacts are the same, and the names of those that are not or are missing from one side."""
    differ = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    return len(one.keys() & other.keys()) - sum(name in one and name in other for name in differ), differ


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--configfile")
    given = parser.parse_args(arguments)
    for number in (0, 1):
        run(given.folder.resolve() / f"run-{number + 1}", number, given.configfile)
    same, differ = compared(*(checksums(given.folder / f"run-{number + 1}") for number in (0, 1)))
    print(f"{same} artefacts have the same bytes in both runs, {len(differ)} do not")
    for name in differ:
        print(f"  {name}")
    return 1 if differ or not same else 0


if __name__ == "__main__":
    sys.exit(main())
