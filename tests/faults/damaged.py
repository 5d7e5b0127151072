"""Results that were damaged, and clocks that went back."""

import os
import shutil

from tests.faults.bench import RIGHT, SAID, WRONG, sentences
from tests.workflow.conftest import write_ratings

KINDS = {"a Parquet file": "*.parquet", "an npz file": "*.npz", "a receipt": "receipts/**/*.json", "a log": "*.log"}
MOST_MENDS = 6  # one sentence may follow another


def flip(data, draw):
    place = draw.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << draw.randrange(8))]) + data[place + 1 :]


DAMAGES = {
    "one bit": flip,
    "cut off": lambda data, draw: data[: draw.randrange(len(data))],
    "emptied": lambda data, draw: b"",
    "noise": lambda data, draw: draw.randbytes(len(data)),
}


def damaged_results(bench, tries, kinds=tuple(KINDS)):
    """Damage a file that a later stage reads, and delete what that stage wrote; follow the advice of the sentences."""
    for kind in kinds:
        for number in range(tries):
            study = bench.copy(f"damaged {kind} {number}")
            how = list(DAMAGES)[number % len(DAMAGES)]
            damage(bench, study, KINDS[kind], DAMAGES[how])
            bench.record(f"{kind} damaged", followed(bench, study))


def damage(bench, study, pattern, how):
    """Damage one file but keep its time, so that only its content can tell; all that is made from it is deleted."""
    skipped = ("training.parquet", "benchmarks", "verdict")
    files = sorted(p for p in study.results.rglob(pattern) if not any(word in str(p) for word in skipped))
    path = bench.draw.choice([p for p in files if p.stat().st_size])
    times = path.stat()
    path.write_bytes(how(path.read_bytes(), bench.draw))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    order = ["datasets", "splits", "models", "shards", "ranks", "metrics", "meta", "verdict"]
    place = next((i for i, name in enumerate(order) if path.relative_to(study.results).parts[0] == name), 0)
    for name in order[place + 1 :]:
        shutil.rmtree(study.results / name, ignore_errors=True)
    if place == 0:
        (study.results / "verdict" / "small.json").unlink(missing_ok=True)


def followed(bench, study):
    """Run, do what the sentence says, and run again until all is right; the first outcome stands if it gets there."""
    first = None
    for _ in range(MOST_MENDS):
        run = study.run()
        advice = [text for text in sentences(run.stderr) if "delete it and run the same command again" in text]
        named = {text.partition(" was changed")[0].partition(" is damaged")[0] for text in advice}
        harmed = {path.removeprefix("results/") for path in named}
        outcome = bench.judge(study, run, damaged=harmed)
        first = first or outcome
        if outcome[0] == RIGHT:
            return first
        if outcome[0] == WRONG or not named:
            return WRONG, f"{outcome[1]} {run.stderr[-600:]!r}"
        for path in named:
            (study.folder / path).unlink()
    return WRONG, "the advice did not help"


def clock_set_back(bench, tries):
    """Files from the future: what is made or changed afterwards looks older, and must be noticed all the same."""
    for number in range(tries):
        (results_deleted, input_changed, input_ahead)[number % 3](bench, f"clock {number}")


def results_deleted(bench, name):
    study = bench.copy(name)
    to_the_future([*study.results.rglob("*"), *(study.folder / ".snakemake").rglob("*")])
    for made in ("models", "shards", "ranks", "lists", "metrics", "meta", "verdict"):
        shutil.rmtree(study.results / made)
    outcome = bench.judge(study, study.run())
    bench.record("clock set back, results deleted", stays(bench, study, outcome, bench.right))


def input_changed(bench, name):
    changed = bench.reference(f"{name}, right", lambda study: write_ratings(study.folder / "ratings.csv", seed=4))
    study = bench.copy(name)
    to_the_future([*study.results.rglob("*"), *(study.folder / ".snakemake").rglob("*")])
    write_ratings(study.folder / "ratings.csv", seed=4)
    outcome = bench.judge(study, study.run(), changed, damaged=bench.right)
    bench.record("clock set back, input changed", stays(bench, study, outcome, changed))


def input_ahead(bench, name):
    study = bench.fresh(name)
    to_the_future([study.folder / "ratings.csv"])
    outcome = bench.judge(study, study.run())
    os.utime(study.folder / "ratings.csv")
    bench.record("clock set back, input ahead", bench.mended(study, outcome))


def to_the_future(paths):
    """Set the times of files a day ahead, in the order that they have."""
    for path in paths:
        if path.is_file():
            later = path.stat().st_mtime_ns + 86_400 * 10**9
            os.utime(path, ns=(later, later))


def stays(bench, study, outcome, right):
    """Require the right bytes now and after one more run."""
    if outcome[0] in (RIGHT, SAID) and study.contents() != right:
        return WRONG, "stale bytes were called finished"
    return bench.mended(study, outcome, right)
