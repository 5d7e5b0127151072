"""Measure Truerank side by side with its peers: `make bench`, or `python -m bench --jobs metrics ranks`."""

import argparse
import json
import os
import sys
import time
from importlib import import_module
from pathlib import Path

import psutil
from truerank.errors import UserError
from truerank.provenance import whole

from bench import install, page
from bench.jobs import CONTESTS, NAMES
from bench.jobs.study import row
from bench.runner import Options, rows_of

PAGE = install.ROOT / "docs" / "bench.md"
WHOLE_AIM = 900
MARK = "<!-- written by python -m bench --docs -->\n"


def main(words=None):
    chosen = arguments(words)
    if chosen.lock:
        return install.resolve()
    if chosen.docs:
        return copy_to_docs(chosen.folder)
    python = chosen.peers or install.peers()
    folder = chosen.folder.resolve()
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    size, rounds = ("small", 1) if chosen.quick else ("full", chosen.rounds)
    options = Options(work, Path(python), chosen.cores, size, rounds)
    start, rows = time.perf_counter(), []
    for job in chosen.jobs:
        measure = (
            rows_of if job in CONTESTS else lambda job, options: import_module(f"bench.jobs.{job}").measure(options)
        )
        rows += measure(job, options)
        write(folder, rows, machine(chosen.cores, size))
    if set(chosen.jobs) == set(NAMES):
        rows.append(whole_bench(time.perf_counter() - start, size))
        write(folder, rows, machine(chosen.cores, size))
    print("\n" + page.markdown(rows, machine(chosen.cores, size)))
    print(f"{folder / 'bench.html'}, after {time.perf_counter() - start:.0f} s")


def whole_bench(seconds, size):
    """Return the row of all jobs together; at small sizes there is nothing to aim at."""
    aim = {"aim": f"<= {WHOLE_AIM} s", "met": seconds <= WHOLE_AIM} if size == "full" else {}
    return row("whole bench", seconds, **aim, note="without the installation of the peers")


def arguments(words):
    options = argparse.ArgumentParser(prog="bench", description=__doc__)
    options.add_argument("--jobs", nargs="+", choices=NAMES, default=NAMES, metavar="JOB", help=", ".join(NAMES))
    options.add_argument("--quick", action="store_true", help="small sizes, one round: to see whether all works")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--cores", type=int, default=usable_cores())
    options.add_argument("--folder", type=Path, default=Path("results/bench"))
    options.add_argument(
        "--peers", type=Path, help="an interpreter that has the peers; .venv-bench is made if not given"
    )
    options.add_argument(
        "--docs", action="store_true", help="the table of the last run into docs/bench.md, and nothing else"
    )
    options.add_argument("--lock", action="store_true", help="newest versions into envs/bench.txt, and nothing else")
    return options.parse_args(words)


def usable_cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def copy_to_docs(folder):
    """Put the table of a run at full size into the page."""
    table = (folder / "bench.md").read_text(encoding="utf-8")
    if page.SMALL in table:
        raise UserError(f"{folder / 'bench.md'} is of a quick run; run: make bench")
    before, _, after = PAGE.read_text(encoding="utf-8").split(MARK)
    PAGE.write_text(before + MARK + table + MARK + after, encoding="utf-8")


def write(folder, rows, where):
    """Write what there is so far, so that a run that is stopped leaves its finished jobs."""
    texts = {
        "json": json.dumps(rows, indent=2) + "\n",
        "md": page.markdown(rows, where),
        "html": page.page(rows, where),
    }
    for suffix, text in texts.items():
        with whole(folder / f"bench.{suffix}") as temporary:
            temporary.write_text(text, encoding="utf-8")


def machine(cores, size):
    memory = psutil.virtual_memory().total / 2**30
    return f"{cores} cores, {memory:.0f} GB of memory" + (page.SMALL if size == "small" else "")


if __name__ == "__main__":
    try:
        main()
    except UserError as mistake:
        sys.exit(f"truerank: {mistake}")
