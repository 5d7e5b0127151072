"""Bounds, and corrections by every estimator of the papers, from 20,000 ranks up to five million items."""

import json
import os
import subprocess
import sys
import time

import numpy as np

from bench.contest import SEED
from bench.jobs.laws import sampled_ranks
from bench.jobs.study import row
from bench.runner import ROOT
from bench.worker import peak_mb

N_RANKS, NEGATIVES, RESAMPLES = 20_000, 99, 200
SIZES = (12_000, 200_000, 5_000_000)
ESTIMATORS = ("uncorrected", "rank_estimate", "cls", "bv_001", "mle", "mes", "bv_mle", "bv_mes", "mn_mle", "mn_mes")
ESTIMATORS += ("monotone_mle",)
AIM_SECONDS, AIM_MB = 10, 1000


def measure(options):
    """Return a row for the bounds of recall@10 at each size, and for each correction at the largest."""
    small = options.size == "small"
    sizes, names = (SIZES[:1], ESTIMATORS[-1:]) if small else (SIZES, ESTIMATORS)
    jobs = [("bounds", size) for size in sizes] + [(name, sizes[-1]) for name in names]
    return [row_of(name, size, small, options) for name, size in jobs]


def row_of(name, size, small, options):
    n_ranks = N_RANKS // 100 if small else N_RANKS
    words = [sys.executable, "-m", "bench.jobs.millions", name, str(size), str(n_ranks)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "workflow")])}
    environment |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{name} at {size:,} items failed:\n{done.stderr}")
    found = json.loads(done.stdout)
    job = f"bounds, {size:,} items" if name == "bounds" else f"correct with {name}, {size:,} items"
    options.say(f"{job}: {found['seconds']:.1f} s, {found['peak_mb']:.0f} MB")
    met = found["seconds"] <= AIM_SECONDS and found["peak_mb"] <= AIM_MB
    aim = {} if small else {"aim": f"<= {AIM_SECONDS} s, {AIM_MB:,} MB", "met": met}
    return row(job, found["seconds"], peak=found["peak_mb"], note=f"{n_ranks:,} ranks among {NEGATIVES}", **aim)


def timed(name, n_items, n_ranks):
    """Return the seconds of one call without imports, and the most memory that this process has held."""
    import truerank as tr

    rank = sampled_ranks(n_ranks, n_items, NEGATIVES + 1, np.random.default_rng(SEED))
    about = {"items": n_items, "negatives": NEGATIVES, "metrics": ["recall@10", "ndcg@100"]}
    call, more = (tr.bounds, {}) if name == "bounds" else (tr.correct, {"estimator": name, "resamples": RESAMPLES})
    start = time.perf_counter()
    call(rank, **about, **more)
    return {"seconds": time.perf_counter() - start, "peak_mb": peak_mb()}


if __name__ == "__main__":
    print(json.dumps(timed(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
