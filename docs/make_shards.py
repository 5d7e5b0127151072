"""Test the pairs of six made-up systems under five metrics, by shards: seconds and megabytes of every job.

    .venv/bin/python docs/make_shards.py FOLDER USERS DRAWS SHARDS [SHARDS ..]

Every job is a process of its own. Where several numbers of shards are given, the bytes of what they write are compared.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np

MODELS = [f"model_{number}" for number in range(6)]
COLUMNS = ["ndcg@10", "recall@10", "precision@10", "rr@10", "ap@10"]
WRITTEN = ("significance", "discriminative_power", "best_set")
AT_A_TIME = 1 << 18


def values_of(model: int, first: int, n: int) -> dict[str, np.ndarray]:
    """Return made-up values of some users: places of one to three hits, a little better for each model."""
    rng = np.random.default_rng([7, first])
    ease = rng.random((n, 3))
    own = np.random.default_rng([model, first]).random((n, 3))
    place = np.floor(40 * (0.75 * ease + 0.25 * own) * (1 - 0.0002 * model)) + 1
    hit = place <= 10
    gain = np.where(hit, 1 / np.log2(place + 1), 0)
    share = np.where(hit, 1 / place, 0)
    return {
        "ndcg@10": gain.mean(axis=1),
        "recall@10": hit.mean(axis=1),
        "precision@10": hit.sum(axis=1) / 10,
        "rr@10": share.max(axis=1),
        "ap@10": share.mean(axis=1),
    }


def make(folder: Path, n_users: int) -> None:
    """Write the values of all users, and lists of one item, the same for all."""
    from truerank.artefacts.files import write_parts

    def parts(model: int) -> Iterator[dict[str, np.ndarray]]:
        for first in range(0, n_users, AT_A_TIME):
            user = np.arange(first, min(first + AT_A_TIME, n_users), dtype=np.int32)
            yield {"model": np.full(len(user), MODELS[model]), "user": user} | values_of(model, first, len(user))

    def lists(model: int) -> Iterator[dict[str, np.ndarray]]:
        for first in range(0, n_users, AT_A_TIME):
            user = np.arange(first, min(first + AT_A_TIME, n_users), dtype=np.int32)
            yield {"user": user, "position": np.ones_like(user), "item": np.full_like(user, model)}

    write_parts(folder / "per_user.parquet", (part for model in range(len(MODELS)) for part in parts(model)))
    for model, name in enumerate(MODELS):
        write_parts(folder / f"{name}.parquet", lists(model))


def job(folder: Path, draws: int, count: int, shard: int) -> None:
    """Do one job, the last of which reads what the others wrote; print its seconds and megabytes."""
    from truerank.blas import single_threaded_blas
    from truerank.stages.flip_shard import flip_shard
    from truerank.stages.test_significance import test_significance

    settings = SimpleNamespace(
        model_names=MODELS,
        metrics={column.partition("@")[0]: {"kind": column.partition("@")[0]} for column in COLUMNS},
        undefined_users="zero",
        significance={"draws": draws},
        seed=1,
        shards=count,
        threads=1,
        names=("made_up", "holdout") if shard == count else ("made_up", "holdout", str(shard)),
    )
    flips = [folder / f"flips.{count}.{number}.npz" for number in range(count)]
    inputs = SimpleNamespace(
        per_user=folder / "per_user.parquet",
        lists=[folder / f"{name}.parquet" for name in MODELS],
        test=None,
        flip_shards=flips,
    )
    with single_threaded_blas():
        if shard == count:
            outputs = SimpleNamespace(**{name: folder / f"{name}.{count}.parquet" for name in WRITTEN})
            test_significance(inputs, settings, outputs)
        else:
            flip_shard(inputs, settings, SimpleNamespace(flip_shards=flips[shard]))
    used = resource.getrusage(resource.RUSAGE_SELF)
    name = "test_significance" if shard == count else f"flip_shard {shard} of {count}"
    print(f"| {name} | {used.ru_utime + used.ru_stime:.0f} | {used.ru_maxrss / 1024:.0f} |", flush=True)


def main(folder: str, n_users: str, draws: str, *counts: str) -> None:
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    if not (path / f"{MODELS[-1]}.parquet").exists():
        make(path, int(n_users))
    print("| job | processor seconds | MB |\n|---|---|---|", flush=True)
    for count in counts:
        start = time.time()
        for shard in range(int(count) + 1):
            subprocess.run([sys.executable, __file__, "--job", folder, draws, count, str(shard)], check=True)
        print(f"{count} shard(s): {time.time() - start:.0f} s by the clock, one job after another", flush=True)
    for name in WRITTEN:
        contents = {(path / f"{name}.{count}.parquet").read_bytes() for count in counts}
        print(f"{name}: {'the same bytes' if len(contents) == 1 else 'DIFFERENT BYTES'} for {', '.join(counts)} shards")


if __name__ == "__main__":
    if sys.argv[1] == "--job":
        job(Path(sys.argv[2]), *map(int, sys.argv[3:]))
    else:
        main(*sys.argv[1:])
