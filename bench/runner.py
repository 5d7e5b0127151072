"""Measure contests: every contender in a process of its own, all in turn, round after round."""

import json
import os
import re
import statistics
import subprocess
import sys
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import numpy as np

from bench.contest import BOUND, OURS

ROOT = Path(__file__).parents[1]
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class Options:
    """How to measure. peers : the interpreter of the peers' environment. size : ``full``, or ``small`` for a try."""

    folder: Path
    peers: Path
    cores: int
    size: str = "full"
    rounds: int = 3
    say: object = print


class DisagreementError(Exception):
    """Two contenders did not give the same results, so their times say nothing."""


def rows_of(job, options):
    """Return the rows of one job: one per peer and bound."""
    found, module = [], import_module(f"bench.jobs.{job}")
    for number, contest in enumerate(module.CONTESTS):
        options.say(contest.job)
        contest = replace(contest, contenders=[each for each in contest.contenders if is_there(each, options)])
        found += rows(contest, measured(job, number, contest, options))
    return found + (module.summary(found) if hasattr(module, "summary") else [])


def is_there(contender, options):
    """Tell whether a contender's environment has what it needs."""
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({contender.needs!r}) is None)"
    there = not subprocess.run([str(python_of(contender, options)), "-c", code]).returncode
    if not there:
        options.say(f"  {contender.name} is left out: its environment has no {contender.needs}")
    return there


def is_own(contender):
    return contender.local or contender.role in (OURS, BOUND)


def python_of(contender, options):
    return sys.executable if is_own(contender) else options.peers


def measured(job, number, contest, options):
    """Return contender -> measurements, one per round, after a check that all of them agree with us."""
    found = {contender.name: [] for contender in contest.contenders}
    for turn in range(options.rounds):
        for contender in contest.contenders:
            if turn < contender.rounds:
                keep = turn == 0 and contest.agree is not None
                found[contender.name].append(measure(job, number, contender, options, keep))
        if turn == 0 and contest.agree:
            check(contest, job, number, options)
    return found


def measure(job, number, contender, options, keep):
    """Run one contender once, in a new process, and return what it says of itself."""
    out = out_of(job, number, contender, options)
    own = is_own(contender)
    # Our matrix products run on one thread each, as in the workflow, which works on several blocks at once.
    threads = 1 if own else options.cores
    environment = os.environ | dict.fromkeys(THREADS, str(threads)) | {"NUMBA_NUM_THREADS": str(options.cores)}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "workflow")] if own else [str(ROOT)])
    python = str(python_of(contender, options))
    words = [job, str(number), contender.name, options.size, str(options.cores), str(out), "keep" if keep else "drop"]
    done = subprocess.run(
        [python, "-m", "bench.worker", *words], env=environment, cwd=options.folder, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{job}: {contender.name} failed:\n{done.stderr}")
    found = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    options.say(f"  {contender.name}: {found['seconds']:.4g} s, {found['peak_mb']:.0f} MB")
    return found


def out_of(job, number, contender, options):
    return options.folder / f"{job}_{number}_{re.sub('[^a-z]+', '_', contender.name)}"


def check(contest, job, number, options):
    """Raise DisagreementError unless all peers have our results; a bound may have none."""
    ours, *others = contest.contenders
    files = {each.name: out_of(job, number, each, options).with_suffix(".npz") for each in contest.contenders}
    mine = load(files[ours.name])
    for other in others:
        if files[other.name].exists():
            gap = contest.agree(mine, load(files[other.name]))
            if not gap <= 1:
                raise DisagreementError(f"{contest.job}: {other.name} disagrees, {gap:.3g} times what is allowed")
        elif other.role != BOUND:
            raise DisagreementError(f"{contest.job}: {other.name} has no results to compare")


def load(path):
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def rows(contest, found):
    """Return one row per bound and peer, from what was measured of everybody."""
    ours = found[contest.contenders[0].name]
    bound = next((each for each in contest.contenders if each.role == BOUND), None)
    least = median(found[bound.name]) if bound else None
    time = median(ours)
    about_us = {"ours_seconds": time, "ours_spread": spread(ours), "bound_seconds": least}
    about_us |= {"bound_ratio": time / least if bound else None, "peak_mb": max(each["peak_mb"] for each in ours)}
    made = []
    for other in contest.contenders[1:]:
        theirs = found[other.name]
        ratio = median(theirs) / time
        named = {"job": contest.job, "peer": other.name, "peer_seconds": median(theirs), "ratio": ratio}
        named |= {"peer_spread": spread(theirs), "peer_peak_mb": max(each["peak_mb"] for each in theirs)}
        made.append(named | about_us | verdict(other, ratio) | {"share": theirs[0]["share"], "note": other.note})
    return made


def verdict(other, ratio):
    """Say what the aim is and whether it is met; without one, None."""
    if other.aim is None:
        return {"aim": None, "met": None}
    if other.role == BOUND:
        return {"aim": f"<= {other.aim:g}x its time", "met": bool(1 / ratio <= other.aim)}
    return {"aim": f">= {other.aim:g}x faster", "met": bool(ratio >= other.aim)}


def median(measurements):
    return statistics.median(each["seconds"] for each in measurements)


def spread(measurements):
    seconds = [each["seconds"] for each in measurements]
    return [min(seconds), max(seconds)]
