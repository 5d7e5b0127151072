"""Sample candidates for three made-up systems, and judge it: processor seconds and megabytes of every job.

    .venv/bin/python docs/make_sampled.py FOLDER USERS

A user has three test items, so there are three times as many instances. Every job is a process of its own.
"""

import argparse
import resource
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from truerank.artefacts.cost import peak_memory
from truerank.artefacts.files import write_json, write_parts
from truerank.blas import single_threaded_blas

MODELS = [f"model_{number}" for number in range(3)]  # the first that make_shards makes
METRICS = {name: {"kind": name} for name in ("ndcg", "recall", "precision", "rr", "ap")}
SAMPLERS: dict[str, dict[str, Any]] = {
    "uniform_20": {"kind": "uniform", "negatives": 20, "repeats": 5},
    "adaptive_20": {"kind": "adaptive", "start": 5, "limit": 20, "repeats": 2},
    "users_1000": {"kind": "users", "users": 1000, "repeats": 5},
}
ESTIMATORS = {"uncorrected": {"kind": "uncorrected"}, "mle": {"kind": "mle"}}
JUDGED = ("accuracy", "error", "bounds", "order", "winner", "mapped", "cost", "effort", "user_sampling", "user_tests")
CURVES = ("expected", "mapping", "known", "crossings")
JOBS = [*(f"sample_ranks {name}" for name in SAMPLERS), "fit_ranks mle"]
JOBS += [*(f"estimate_metrics {name}" for name in ESTIMATORS), "judge_sampling", "draw_curves"]


def job(folder: Path, name: str) -> None:
    """Do one job."""
    stage, _, what = name.partition(" ")
    settings: dict[str, Any] = {"model_names": MODELS, "metrics": METRICS, "cutoffs": [1, 10, 100], "seed": 1}
    settings |= {"relevance": {"threshold": 4}, "names": ("made_up", "holdout", what), "threads": 1}
    settings |= {"sampler": SAMPLERS.get(what), "samplers": SAMPLERS, "negatives": [20]}
    settings |= {"estimator": ESTIMATORS.get(what), "estimators": {"uncorrected": ESTIMATORS["uncorrected"]}}
    settings |= {"estimated": [("uniform_20", estimator) for estimator in ESTIMATORS]}
    paths: dict[str, Any] = {"ranks": [folder / f"ranks_{model}.parquet" for model in MODELS], "sample_shards": []}
    paths |= {"facts": folder / "facts.json", "fit": folder / "fit.npz" if what == "mle" else []}
    paths |= {"samples": folder / "uniform_20.npz"}
    paths |= {"estimates": folder / f"estimates_{what}.parquet"}
    outputs = paths | {name: folder / f"{name}.parquet" for name in (*JUDGED, *CURVES)}
    if stage == "sample_ranks":
        outputs["samples"] = folder / f"{what}.npz"
    if stage == "judge_sampling":
        paths["samples"] = [folder / f"{sampler}.npz" for sampler in SAMPLERS]
        paths["estimates"] = [folder / f"estimates_{estimator}.parquet" for estimator in ESTIMATORS]
    measure(name, paths, settings, outputs)


def measure(name: str, *named: dict[str, Any]) -> None:
    """Run a stage in this process, which does nothing else; print its seconds and megabytes.

    name : of the stage, then of what it is run for. named : inputs, settings and outputs.
    """
    stage = name.partition(" ")[0]
    run = getattr(import_module(f"truerank.stages.{stage}"), stage)  # the others' imports would count
    with single_threaded_blas():
        run(*(SimpleNamespace(**each) for each in named))
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(f"| {name} | {used.ru_utime + used.ru_stime:.0f} | {peak_memory():.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("users", type=int)
    parser.add_argument("--job", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.job:
        return job(asked.folder, asked.job)
    asked.folder.mkdir(parents=True, exist_ok=True)
    if not (asked.folder / "facts.json").exists():
        from make_shards import ITEMS, blocks, ranks_of

        for number, name in enumerate(MODELS):
            parts = (ranks_of(number, user) for user in blocks(asked.users))
            write_parts(asked.folder / f"ranks_{name}.parquet", parts)
        write_json(asked.folder / "facts.json", {"items": ITEMS})
    print("| job | processor seconds | MB |\n|---|---|---|", flush=True)
    for name in JOBS:
        own = [str(asked.folder), str(asked.users), "--job", name]
        subprocess.run([sys.executable, __file__, *own], check=True)


if __name__ == "__main__":
    main()
