"""Let one contender do one job in this process: `python -m bench.worker JOB NUMBER CONTENDER SIZE CORES OUT`.

The small job comes first, which warms up what compiles, and whose results are written to OUT.npz if that is asked for.
The time and the peak memory of the full one go to OUT.json.
"""

import json
import statistics
import sys
import time

import numpy as np

from bench.jobs import contests

ENOUGH = 1.0  # seconds; what takes less is repeated
MOST = 25


def main(job, number, name, size, cores, out, keep):
    contest = contests(job)[int(number)]
    contender = contest.contender(name)
    results = contender.prepare(contest.inputs_of("small"), int(cores))()
    if keep == "keep" and results is not None:
        np.savez(f"{out}.npz", allow_pickle=False, **results)
    inputs = contest.inputs_of(size)
    run = contender.prepare(inputs, int(cores))
    seconds = timed(run)
    share = contender.done(inputs) if contender.done else 1.0
    with open(f"{out}.json", "w", encoding="utf-8") as handle:
        json.dump({"seconds": seconds / share, "share": share, "peak_mb": peak_mb()}, handle)


def timed(run):
    """Return the median seconds of some calls, of one if it takes long."""
    taken = []
    while len(taken) < MOST and sum(taken) < ENOUGH:
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def peak_mb():
    """Return the most memory that this process has held; the kernel's own figure for a child includes its parent's."""
    try:
        with open("/proc/self/status", encoding="utf-8") as status:
            return int(next(line for line in status if line.startswith("VmHWM")).split()[1]) / 1024
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)  # bytes, where there is no /proc


if __name__ == "__main__":
    main(*sys.argv[1:])
