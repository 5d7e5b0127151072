"""Search for the test items of three made-up systems along a proxy, and judge it: seconds and megabytes of every job.

    .venv/bin/python docs/make_informed.py FOLDER USERS ITEMS [JOB ..]

A user has one test item. What the systems put ahead of it is made up as well. Every job is a process of its own.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from make_sampled import JUDGED, measure
from truerank.artefacts.files import write_json, write_parts

MODELS = [f"model_{number}" for number in range(3)]
METRICS = {name: {"kind": name} for name in ("ndcg", "recall", "precision", "rr", "ap")}
SAMPLERS: dict[str, dict[str, Any]] = {
    "budget_100": {"kind": "informed", "k": 10, "budget": 100, "repeats": 1},
    "audit_100": {"kind": "informed", "k": 10, "budget": 100, "audit": 0.2, "repeats": 1},
}
CELLS = 1 << 24  # at a time


def blocks(n_users: int, n_items: int) -> Iterator[np.ndarray]:
    step = max(1, CELLS // n_items)
    for first in range(0, n_users, step):
        yield np.arange(first, min(first + step, n_users), dtype=np.int32)


def ahead(model: int, user: np.ndarray, n_items: int) -> np.ndarray:
    """Return whether each item is ahead of some users' test items, more often where the proxy has it first."""
    rng = np.random.default_rng([9, user[0]])
    level = rng.gamma(0.35, n_items / 25, (len(user), 1)).astype(np.float32)
    own = np.random.default_rng([model, user[0]])
    chance = (0.5 + own.random((len(user), 1), np.float32)) * level
    weight = (0.5 / np.sqrt(n_items * np.arange(1, n_items + 1))).astype(np.float32)
    found = own.random((len(user), n_items), np.float32) < np.minimum(chance * weight, 0.9)
    found[:, -1] = False  # the place of the test item
    return found


def parts(n_users: int, n_items: int) -> Iterator[dict[str, np.ndarray]]:
    """Yield what a shard says that models put ahead."""
    for user in blocks(n_users, n_items):
        bits = np.stack([np.packbits(ahead(model, user, n_items), axis=1) for model in range(len(MODELS))])
        own_rank = np.random.default_rng([8, user[0]]).integers(1, n_items, len(user))
        yield {"bits": bits, "n": np.full(len(user), n_items - 1), "own_rank": own_rank}


def ranks_of(bits: np.ndarray, user: np.ndarray, n_items: int) -> dict[str, np.ndarray]:
    """Return what the rank table has of some users."""
    above = np.bitwise_count(bits).sum(axis=1, dtype=np.int32)
    nothing, no = np.full(len(user), np.nan, np.float32), np.zeros(len(user), np.int32)
    found = {"user": user, "item": no, "rating": nothing, "score": no.astype(np.float32)}
    return found | {"above": above, "tied": no, "candidates": no + n_items, "before": no, "prediction": nothing}


def make(folder: Path, n_users: int, n_items: int) -> None:
    """Write what the jobs read."""
    from truerank.artefacts.array_parts import StoredArrays, write_array_parts
    from truerank.sampling._core.sample import PER_INSTANCE

    write_array_parts(folder / "shard.npz", parts(n_users, n_items), PER_INSTANCE)
    stored = StoredArrays(folder / "shard.npz", PER_INSTANCE)
    for model, name in enumerate(MODELS):
        read = ((stored.part("bits", slice(int(own[0]), int(own[-1]) + 1), (model,)), own)
                for own in blocks(n_users, n_items))  # fmt: skip
        write_parts(folder / f"ranks_{name}.parquet", (ranks_of(bits, own, n_items) for bits, own in read))
    write_json(folder / "facts.json", {"items": n_items})


def job(folder: Path, name: str) -> None:
    """Do one job."""
    stage, _, what = name.partition(" ")
    settings: dict[str, Any] = {"model_names": MODELS, "metrics": METRICS, "cutoffs": [1, 10, 100], "seed": 1}
    settings |= {"relevance": {"threshold": 4}, "names": ("made_up", "holdout", what), "threads": 1}
    settings |= {"sampler": SAMPLERS.get(what), "estimator": {"kind": "informed"}}
    there = {name: own for name, own in SAMPLERS.items() if (folder / f"estimates_{name}.parquet").exists()}
    settings |= {"samplers": there, "estimated": [(name, "informed") for name in there]}
    paths: dict[str, Any] = {"ranks": [], "sample_shards": [folder / "shard.npz"], "facts": folder / "facts.json"}
    paths |= {"samples": folder / f"{what}.npz", "fit": folder / f"fit_{what}.npz"}
    paths |= {"estimates": folder / f"estimates_{what}.parquet"}
    if stage == "judge_sampling":
        paths["ranks"] = [folder / f"ranks_{model}.parquet" for model in MODELS]
        paths["samples"] = [folder / f"{sampler}.npz" for sampler in there]
        paths["estimates"] = [folder / f"estimates_{sampler}.parquet" for sampler in there]
    outputs = paths | {name: folder / f"{name}.parquet" for name in JUDGED}
    measure(name, paths, settings, outputs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("users", type=int)
    parser.add_argument("items", type=int)
    parser.add_argument("jobs", nargs="*")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.job:
        return job(asked.folder, asked.job)
    asked.folder.mkdir(parents=True, exist_ok=True)
    if not (asked.folder / "facts.json").exists():
        make(asked.folder, asked.users, asked.items)
    print("| job | processor seconds | MB |\n|---|---|---|", flush=True)
    of_samplers = [
        f"{stage} {name}" for name in SAMPLERS for stage in ("sample_ranks", "fit_ranks", "estimate_metrics")
    ]
    for name in asked.jobs or [*of_samplers, "judge_sampling"]:
        own = [str(asked.folder), str(asked.users), str(asked.items), "--job", name]
        subprocess.run([sys.executable, __file__, *own], check=True)


if __name__ == "__main__":
    main()
