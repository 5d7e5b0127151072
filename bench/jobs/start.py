"""What it costs to begin: importing the package, and a job of the workflow that has nothing to do."""

import os
import subprocess
import sys
import time

from bench.runner import ROOT

IMPORT_AIM = 0.5
AIMED = ("truerank", "truerank.cli", "truerank.meta")  # what people start themselves; jobs import more


def measure(options):
    """Return a row per import, in seconds beside those of a bare interpreter."""
    made = []
    for module in (*AIMED, "truerank.stages.job"):
        bare, ours = [], []
        for _ in range(options.rounds + 2):
            bare.append(seconds("pass"))
            ours.append(seconds(f"import {module}"))
        row = {"job": f"import {module}", "peer": "bare interpreter", "ours_seconds": middle(ours)}
        row |= {"peer_seconds": middle(bare), "ratio": middle(bare) / middle(ours)}
        row |= {"ours_spread": [min(ours), max(ours)], "peer_spread": [min(bare), max(bare)]}
        row |= {"bound_seconds": None, "bound_ratio": None, "peak_mb": None, "peer_peak_mb": None, "share": 1.0}
        aimed = module in AIMED
        row |= {"aim": f"<= {IMPORT_AIM:g} s" if aimed else None, "met": middle(ours) <= IMPORT_AIM if aimed else None}
        made.append(row | {"note": "whole process"})
        options.say(f"{row['job']}: {row['ours_seconds']:.3f} s")
    return made


def seconds(code):
    environment = os.environ | {"PYTHONPATH": str(ROOT / "workflow")}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    return time.perf_counter() - start


def middle(values):
    return sorted(values)[len(values) // 2]
