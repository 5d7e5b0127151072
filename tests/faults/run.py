"""Break runs of a small study on purpose and count what comes of it.

    .venv/bin/python -m tests.faults.run                      # all faults -> results/faults/faults.json and .md
    .venv/bin/python -m tests.faults.run --only full_disk     # one of them, or several
    .venv/bin/python -m tests.faults.run --share 0.1          # a tenth of the tries, one at least

Every try ends in the right bytes or in one clear sentence, and the same command without the fault in the right bytes;
anything else is wrong, is told, and makes the exit code 1.
"""

import argparse
import json
import math
import sys
import tempfile
from pathlib import Path

from tests.faults.bench import RIGHT, SAID, WRONG, Bench
from tests.faults.damaged import clock_set_back, damaged_results
from tests.faults.killed import changed_config, kill_nine, two_at_once
from tests.faults.surroundings import file_size_limit, full_disk, locales, names, paths, read_only

FAULTS = {  # function -> tries; of damaged_results per kind of file
    kill_nine: 30,
    two_at_once: 4,
    changed_config: 3,
    full_disk: 6,
    file_size_limit: 4,
    read_only: 4,
    damaged_results: 4,
    clock_set_back: 6,
    locales: 2,
    paths: 8,
    names: 2,
}
COLUMNS = (RIGHT, SAID, WRONG)


def table(told):
    """Return the counts as a Markdown table."""
    lines = [f"| fault | tries | {' | '.join(COLUMNS)} |", "|---" * (2 + len(COLUMNS)) + "|"]
    for fault, counts in told.items():
        cells = [str(counts[column]) for column in COLUMNS] if counts else ["skipped"] * len(COLUMNS)
        lines.append(f"| {fault} | {sum(counts.values())} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", choices=[fault.__name__ for fault in FAULTS], default=[])
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("results/faults"))
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="truerank-faults-") as folder:
        bench = Bench(Path(folder), given.seed)
        for fault, tries in FAULTS.items():
            if not given.only or fault.__name__ in given.only:
                fault(bench, max(1, math.ceil(tries * given.share)))
                print(f"{fault.__name__} done", file=sys.stderr, flush=True)
    given.out.mkdir(parents=True, exist_ok=True)
    counts = {fault: {column: count[column] for column in COLUMNS} for fault, count in bench.told.items()}
    content = {"seed": given.seed, "faults": counts, "notes": bench.notes}
    (given.out / "faults.json").write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (given.out / "faults.md").write_text(table(bench.told), encoding="utf-8")
    print(table(bench.told))
    for note in bench.notes:
        print(note)
    return 1 if any(count[WRONG] for count in bench.told.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
