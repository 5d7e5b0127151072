"""What error informed evaluation leaves on a model whose ranks are known, by the scores that it takes."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.informed_problem import InformedProblem
from truerank.estimators._core.problem import Problem
from truerank.estimators.informed import Informed
from truerank.estimators.monotone_mle import MonotoneMle
from truerank.informed.ahead import Ahead, LinedUp
from truerank.informed.pilot import SCORES_PER_PLACE
from truerank.provenance import generator
from truerank.sampling._core.informed_sample import InformedSamples
from truerank.sampling.informed import informed
from truerank.sampling.uniform import uniform

MOST_SHARE = 0.5  # of the candidates: beyond that the exact mode is the better bargain


class Tried(NamedTuple):
    """A way to evaluate: how, scores per user, and the mean relative error of recall@1, .., recall@K."""

    method: str
    scores: float
    error: float


def tried(line: Ahead, k: int, repeats: int, seed: int) -> Iterator[Tried]:
    """Yield what informed evaluation and uniform negatives give at 5 K, 10 K, 20 K, .. scores, and the exact mode.

    line : what the model puts ahead. Cut-offs at which the model has no hit are left out; without any hit the error
    is NaN.
    """
    exact = np.array([(line.rank <= place).mean() for place in range(1, k + 1)])
    budget = SCORES_PER_PLACE * k
    while budget <= MOST_SHARE * line.n.mean():
        rng = generator(seed, "plan", "scores", str(budget))
        samples = InformedSamples.whole(informed(LinedUp.of([line]), rng, k=k, budget=budget, repeats=repeats))
        found = Informed().fit(InformedProblem(samples))[0, :, :k]
        yield Tried("informed", float(samples.about["scores"].mean() / len(line.n)), error_of(found, exact))
        yield Tried("uniform", float(budget), error_of(uniform_fit(line, k, budget, repeats, seed), exact))
        budget *= 2
    everything = InformedSamples.whole(informed(LinedUp.of([line]), generator(seed), k=k, exact=True))
    yield Tried("exact", float(everything.about["scores"].mean() / len(line.n)), 0.0)


def uniform_fit(line: Ahead, k: int, budget: int, repeats: int, seed: int) -> np.ndarray:
    """Return P(R = 1), .., P(R = k) by monotone maximum likelihood from uniform negatives, per repeat."""
    candidates = line.n + 1
    negatives = int(min(budget, candidates.min()) - 1)
    rng = generator(seed, "plan", "uniform", str(budget))
    sample = uniform(line.rank[None], candidates, rng, negatives=negatives, repeats=repeats)
    seen = histogram(sample.rank, sample.negatives, sample.exact)
    return MonotoneMle().fit(Problem(round(float(candidates.mean())), seen))[0, :, :k]


def error_of(law: np.ndarray, exact: np.ndarray) -> float:
    """Return the relative error, mean over repeats and cut-offs. law : repeats x ranks."""
    known = exact > 0
    if not known.any():
        return float("nan")
    return float((np.abs(np.cumsum(law, axis=-1) - exact)[:, known] / exact[known]).mean())


def scores_for(points: list[Tried], method: str, error: float) -> float:
    """Return how many scores per user an error takes, between the points on logarithmic scales; NaN beyond them."""
    own = sorted((point.scores, point.error) for point in points if point.method == method)
    for place, (scores, found) in enumerate(own):
        if found <= error:
            if not place:
                return scores
            before, worse = own[place - 1]
            share = np.log(worse / error) / np.log(worse / max(found, 1e-12))
            return float(before * (scores / before) ** share)
    return float("nan")
