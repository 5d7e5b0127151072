"""Judge five metrics on six made-up systems by shards: processor seconds and megabytes of every job.

    .venv/bin/python docs/make_shards.py flips FOLDER USERS SHARDS [SHARDS ..]
    .venv/bin/python docs/make_shards.py sweeps FOLDER USERS SHARDS [SHARDS ..]
    .venv/bin/python docs/make_shards.py flips FOLDER USERS 10 --only 0

The sign-flip test with 100,000 draws, or the sweep over thinned test sets, from made-up values and ranks. Every job is
a process of its own, and the last one adds up. Where several numbers of shards are given, what they wrote is compared
byte by byte. With --only, one job is done of as many as there are shards.
"""

import argparse
import resource
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from truerank.artefacts.files import write_json, write_parts
from truerank.blas import single_threaded_blas
from truerank.config.merging import read_defaults
from truerank.stages.flip_shard import flip_shard
from truerank.stages.measure_robustness import measure_robustness
from truerank.stages.sweep_shard import sweep_shard
from truerank.stages.test_significance import test_significance

MODELS = [f"model_{number}" for number in range(6)]
METRICS = {name: {"kind": name} for name in ("ndcg", "recall", "precision", "rr", "ap")}
STAGES = {"flips": (flip_shard, test_significance), "sweeps": (sweep_shard, measure_robustness)}
WRITTEN = {
    "flips": ("significance", "discriminative_power", "best_set"),
    "sweeps": ("robustness", "robustness_summary"),
}
TESTS, ITEMS, AT_A_TIME = 3, 1000, 1 << 18  # test items of a user, items, users at a time
Columns = dict[str, np.ndarray]


def blocks(n_users: int) -> Iterator[np.ndarray]:
    for first in range(0, n_users, AT_A_TIME):
        yield np.arange(first, min(first + AT_A_TIME, n_users), dtype=np.int32)


def places(model: int, user: np.ndarray) -> np.ndarray:
    """Return the ranks of the test items of some users, a little better for each model; users x items."""
    ease = np.random.default_rng([7, user[0]]).random((len(user), TESTS))
    own = np.random.default_rng([model, user[0]]).random((len(user), TESTS))
    return np.floor(40 * (0.75 * ease + 0.25 * own) * (1 - 0.0002 * model)).astype(np.int32) + 1


def values_of(model: int, user: np.ndarray) -> Columns:
    """Return what per_user.parquet has of some users: about what the metrics would be."""
    place = places(model, user)
    hit = place <= 10
    gain, share = np.where(hit, 1 / np.log2(place + 1), 0), np.where(hit, 1 / place, 0)
    named = {"model": np.full(len(user), MODELS[model]), "user": user}
    values = gain.mean(axis=1), hit.mean(axis=1), hit.sum(axis=1) / 10, share.max(axis=1), share.mean(axis=1)
    return named | {f"{name}@10": own for name, own in zip(METRICS, values, strict=True)}


def ranks_of(model: int, user: np.ndarray) -> Columns:
    """Return what the rank table has of some users."""
    n = len(user) * TESTS
    item = np.random.default_rng([8, user[0]]).integers(0, ITEMS, n).astype(np.int32)
    nothing, no = np.full(n, np.nan, np.float32), np.zeros(n, np.int32)
    above = places(model, user).ravel() - 1 + np.tile(np.arange(TESTS, dtype=np.int32) * 40, len(user))
    found = {"user": np.repeat(user, TESTS), "item": item, "rating": nothing, "score": no.astype(np.float32)}
    return found | {"above": above, "tied": no, "candidates": no + ITEMS, "before": no, "prediction": nothing}


def make(kind: str, folder: Path, n_users: int) -> None:
    """Write what the jobs read."""

    def write(name: str, parts: Iterable[Columns]) -> None:
        write_parts(folder / f"{name}.parquet", parts)

    if kind == "flips":
        write("per_user", (values_of(model, user) for model in range(len(MODELS)) for user in blocks(n_users)))
        for model, name in enumerate(MODELS):
            lists = ({"user": user, "position": 0 * user + 1, "item": 0 * user + model} for user in blocks(n_users))
            write(f"lists_{name}", lists)
    else:
        for model, name in enumerate(MODELS):
            write(f"ranks_{name}", (ranks_of(model, user) for user in blocks(n_users)))
        nothing = np.full(AT_A_TIME, np.nan)
        history = ({"user": own, "item": own % ITEMS, "rating": nothing[: len(own)]} for own in blocks(n_users))
        write("train", history)
        write("users", ({"code": user} for user in blocks(n_users)))
        write("items", [{"code": np.arange(ITEMS)}])
    write_json(folder / f"facts.{kind}.json", {"rating_scale": None})


def job(kind: str, folder: Path, count: int, shard: int) -> None:
    """Do one job, the last of which reads what the others wrote; print its seconds and megabytes."""
    defaults = read_defaults()
    settings: dict[str, Any] = {"model_names": MODELS, "metrics": METRICS, "cutoffs": [10], "seed": 1, "shards": count}
    settings |= {"undefined_users": "zero", "significance": {"draws": 100_000}, "robustness": defaults["robustness"]}
    settings |= {"evaluation": {"relevance": {"threshold": 4}, "undefined_users": "zero"}, "threads": 1}
    settings["names"] = ("made_up", "holdout", *([] if shard == count else [str(shard)]))
    parts = [folder / f"{kind}.{count}.{number}.npz" for number in range(count)]
    inputs: dict[str, Any] = {name: folder / f"{name}.parquet" for name in ("per_user", "train")}
    inputs |= {f"{noun}_table": folder / f"{noun}s.parquet" for noun in ("user", "item")}
    inputs |= {name: [folder / f"{name}_{model}.parquet" for model in MODELS] for name in ("lists", "ranks")}
    inputs |= {"facts": folder / f"facts.{kind}.json", "test": None, "flip_shards": parts, "sweep_shards": parts}
    map_stage, add_stage = STAGES[kind]
    with single_threaded_blas():
        if shard == count:
            outputs = {name: folder / f"{name}.{count}.parquet" for name in WRITTEN[kind]}
            add_stage(SimpleNamespace(**inputs), SimpleNamespace(**settings), SimpleNamespace(**outputs))
        else:
            outputs = dict.fromkeys(("flip_shards", "sweep_shards"), parts[shard])
            map_stage(SimpleNamespace(**inputs), SimpleNamespace(**settings), SimpleNamespace(**outputs))
    used = resource.getrusage(resource.RUSAGE_SELF)
    name = add_stage.__name__ if shard == count else f"{map_stage.__name__} {shard} of {count}"
    print(f"| {name} | {used.ru_utime + used.ru_stime:.0f} | {used.ru_maxrss / 1024:.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=STAGES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("users", type=int)
    parser.add_argument("shards", type=int, nargs="+")
    parser.add_argument("--only", type=int)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here:
        return job(asked.kind, asked.folder, asked.shards[0], asked.only)
    asked.folder.mkdir(parents=True, exist_ok=True)
    if not (asked.folder / f"facts.{asked.kind}.json").exists():
        make(asked.kind, asked.folder, asked.users)
    print("| job | processor seconds | MB |\n|---|---|---|", flush=True)
    for count in asked.shards:
        for shard in range(count + 1) if asked.only is None else [asked.only]:
            own = [asked.kind, str(asked.folder), str(asked.users), str(count), "--here", "--only", str(shard)]
            subprocess.run([sys.executable, __file__, *own], check=True)
    for name in WRITTEN[asked.kind] if asked.only is None else ():
        contents = {(asked.folder / f"{name}.{count}.parquet").read_bytes() for count in asked.shards}
        print(f"{name}: {'the same bytes' if len(contents) == 1 else 'DIFFERENT BYTES'} for all numbers of shards")


if __name__ == "__main__":
    main()
