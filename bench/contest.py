"""One job, done by Truerank, by the least that it can take, and by peers; plain data, importable in any environment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

SEED = 20180102
OURS, BOUND, PEER = "ours", "bound", "peer"


@dataclass(frozen=True)
class Contender:
    """Somebody who can do the job.

    prepare : from inputs and the number of cores to a function without arguments, which is timed, and which returns
    named arrays that are checked, or None if there is nothing to compare. done : the share of the job that a call
    does at full size, as a function of the inputs; seconds are divided by it. local : runs in our own environment.
    aim : peers' seconds over ours at least, or ours over the bound's at most. needs : a module; without it the
    contender stays out.
    """

    name: str
    prepare: Callable
    role: str = PEER
    done: Callable | None = None
    local: bool = False
    aim: float | None = None
    rounds: int = 3
    needs: str = "numpy"
    note: str = ""


@dataclass(frozen=True)
class Contest:
    """A job at two sizes: ``full`` is timed; at ``small`` everybody does all of it, and the results must agree.

    inputs : from a size and a generator to what ``prepare`` takes. agree : from our results and another's to the
    largest disagreement, in units of what is allowed.
    """

    job: str
    inputs: Callable
    full: dict
    small: dict
    contenders: list = field(default_factory=list)
    agree: Callable | None = None

    def inputs_of(self, size):
        return self.inputs(**getattr(self, size), rng=np.random.default_rng(SEED)) | {"size": size}

    def contender(self, name):
        return next(each for each in self.contenders if each.name == name)


def in_blocks(work, starts, cores):
    """Return a function that calls ``work`` with every start, on all cores: what a bound and our stages do alike."""

    def run():
        with ThreadPoolExecutor(cores) as pool:
            list(pool.map(work, starts))

    return run


def largest_gap(tolerance):
    """Return an ``agree`` that compares the arrays both have, one by one, with an absolute tolerance."""

    def agree(ours, theirs):
        shared = ours.keys() & theirs.keys()
        if not shared:
            raise ValueError("there is nothing to compare")
        return max(float(np.abs(ours[name] - theirs[name]).max()) for name in shared) / tolerance

    return agree
