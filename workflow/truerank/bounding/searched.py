"""Bounds from a search along a proxy: what is certain, and what its random tail makes of the rest."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.bounding.laws import AnyLaw, Metric
from truerank.bounding.limits import share_interval, steps
from truerank.bounding.program import Limits
from truerank.bounding.search import NoLawError, Search
from truerank.sampling._core.law import binomial

Ends = tuple[float, float]


@dataclass(frozen=True)
class Tail:
    """x candidates ahead behind the head, of which each was scored with a chance between two: the outcomes are 0, 1, ..
    hits, and last ``needed`` or more, which decide. The ranks are x + 1, and the last stands for every x from
    ``needed`` on. Of more candidates ahead more are scored, and of likelier ones."""

    needed: int
    least: float
    most: float

    @property
    def n_items(self) -> int:
        return self.needed + 1

    @property
    def n_outcomes(self) -> int:
        return self.needed + 1

    def best(self, rank: np.ndarray) -> np.ndarray:
        return self._law(rank, self.least)

    def worst(self, rank: np.ndarray) -> np.ndarray:
        law = self._law(rank, self.most)
        law[np.asarray(rank) > self.needed] = np.arange(self.n_outcomes) == self.needed
        return law

    def _law(self, rank: np.ndarray, chance: float) -> np.ndarray:
        """Return the law of hits among x, of which no more than ``needed`` count."""
        ahead = np.asarray(rank, np.int64)[:, None] - 1
        hits = np.arange(self.n_outcomes)
        found = binomial(np.minimum(hits, ahead), ahead, np.full((1, 1), chance))
        return np.where(hits <= ahead, found, 0.0)


@dataclass(frozen=True)
class Found:
    """What a search saw of some instances. head, hits : candidates ahead that were scored in the head, and in all.
    whole : whether all candidates were scored."""

    head: np.ndarray
    hits: np.ndarray
    whole: np.ndarray


@dataclass
class Class:
    """Sums over instances with so many hits in the head: how many have 0, 1, .. hits behind it, and what is certain of
    each metric, the least and the largest."""

    outcomes: np.ndarray
    sure: np.ndarray


def searched_bounds(
    parts: Iterable[Found], metrics: Sequence[Metric], n_places: int, chances: Ends, confidence: float
) -> list[Ends]:
    r"""Return the least and the largest mean of each metric over the instances, at one confidence for all of them.

    The metrics do not rise with the rank, and are constant beyond K. *Certain* is a rank above K where K hits were
    seen, an exact one where all candidates were scored, and else a rank above the hits. *Tail*: instances with h hits
    in the head, which is not random, are a class. Of its n_h instances the number with at most t hits behind the head
    is a sum of independent indicators, whose mean share is held by the interval of Clopper and Pearson even where the
    chances differ, since unlike chances only narrow the sum (Hoeffding 1956, doi:10.1214/aoms/1177728178); all h and t
    share 1 - confidence evenly. Over the numbers x of candidates ahead behind the head that lead to such shares, each
    candidate scored with some chance between the two, the mean metric of the class has a least and a largest value,
    by linear programs; the better of these and of what is certain counts. The chances are taken as fixed, though the
    last round of the tail follows from how much of the budget earlier rounds have left.

    parts : of all instances. n_places : K, at which a search ends. chances : the least and the largest with which a
    candidate behind the head was scored.
    """
    k, classes, decided = n_places, dict[int, Class](), 0
    for found in parts:
        decided += int(np.count_nonzero(found.head >= k))
        for head in np.unique(found.head[found.head < k]).tolist():
            own = class_of(found, head, metrics, k)
            before = classes.get(head)
            classes[head] = Class(before.outcomes + own.outcomes, before.sure + own.sure) if before else own
    alpha = (1 - confidence) / max(sum(k - head for head in classes), 1)
    total, n = np.zeros((len(metrics), 2)), decided
    for place, metric in enumerate(metrics):
        total[place] += float(metric(np.array([k + 1]))[0]) * decided
    for head, own in sorted(classes.items()):
        size = int(own.outcomes.sum())
        n += size
        search = Search(AnyLaw(Tail(k - head, *chances)), tail_limits(own.outcomes, alpha))
        for place, metric in enumerate(metrics):
            low, high = own.sure[place] / size
            try:
                least, most = search.bounds(lambda rank, metric=metric, head=head: metric(rank + head))  # type: ignore[misc]
            except NoLawError:
                least, most = low, high
            total[place] += size * np.array([max(low, least), min(high, most)])
    return [(float(low), float(high)) for low, high in total / n]


def class_of(found: Found, head: int, metrics: Sequence[Metric], n_places: int) -> Class:
    """Return the sums over the instances with ``head`` hits in the head."""
    rows = np.flatnonzero(found.head == head)
    outcomes = np.bincount(np.minimum(found.hits[rows], n_places) - head, minlength=n_places - head + 1)
    sure = [certain(metric, found.hits[rows], found.whole[rows], n_places) for metric in metrics]
    return Class(outcomes, np.array(sure))


def certain(metric: Metric, hits: np.ndarray, whole: np.ndarray, n_places: int) -> Ends:
    """Return the least and the largest sum of a metric that falls with the rank, whatever was not scored."""
    best = metric(1 + np.minimum(hits, n_places))
    worst = np.where(whole, best, metric(np.full(len(hits), n_places + 1)))
    return float(worst.sum()), float(best.sum())


def tail_limits(outcomes: np.ndarray, alpha: float) -> Limits:
    """Return the limits of the shares of at most 0, 1, .. hits behind the head, each with its alpha."""
    below, n, needed = np.cumsum(outcomes)[:-1], int(outcomes.sum()), len(outcomes) - 1
    ends = [share_interval(int(count), int(count), n, alpha) for count in below]
    low, high = np.array(ends).T
    return Limits(steps(needed + 1, np.arange(needed)), low, high)
