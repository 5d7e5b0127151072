"""Draws of candidates with unlike chances."""

import numpy as np

from truerank.sampling._core.instances import Instances

DENSE = 4  # times the negatives: with fewer candidates than that, all of them race


class WeightedDraws:
    """Draws from each instance's candidates, with chances in proportion to weights.

    weight : popularity to a power, per place of the pool. total : their sum. kept : the share of it that is left to an
    instance. n_weighted : candidates of an instance with a weight above 0, without itself.
    """

    def __init__(self, instances: Instances, power: float) -> None:
        self.instances = instances
        self.weight = np.asarray(instances.popularity, float)[instances.among.pool] ** power
        self.total = float(self.weight.sum())
        self._rising = np.cumsum(self.weight)
        rows = range(len(instances.user))
        passed = [instances.passed(row) for row in rows]
        self.kept = np.array([1 - self.weight[each].sum() / self.total for each in passed])
        positive = self.weight > 0
        self.n_weighted = np.array([positive.sum() - positive[each].sum() for each in passed])

    def with_replacement(
        self, row: int, rng: np.random.Generator, repeats: int, negatives: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return repeats x negatives items in a row, and how often each is expected among the negatives.

        Places of the whole pool are drawn, and those that are no candidates are left out.
        """
        passed, wanted = self.instances.passed(row), repeats * negatives
        found = np.empty(0, np.int64)
        while len(found) < wanted:
            more = self._places(rng, int(1.1 * (wanted - len(found)) / self.kept[row]) + 8)
            found = np.append(found, more[~is_in(more, passed)])
        found = found[:wanted]
        return self.instances.among.pool[found], negatives * self.weight[found] / (self.total * self.kept[row])

    def without_replacement(
        self, row: int, rng: np.random.Generator, repeats: int, negatives: int
    ) -> tuple[np.ndarray, np.ndarray]:
        r"""Return repeats x negatives different items in a row, and the inclusion chance of each.

        Item j arrives at a time that is exponential with rate w_j; the m that come first are successive draws without
        replacement. Given the arrival t of the next one, an item is among them with chance :math:`1 - e^{-w_j t}`.
        """
        passed = self.instances.passed(row)
        few = self.n_weighted[row] <= DENSE * (negatives + 1)
        arrive = self._race if few else self._arrivals
        places, ends = zip(*(arrive(rng, passed, negatives) for _ in range(repeats)), strict=True)
        place = np.concatenate(places)
        chance = -np.expm1(-self.weight[place] * np.repeat(ends, negatives))
        return self.instances.among.pool[place], chance

    def _places(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """Draw n places of the pool with replacement."""
        return np.searchsorted(self._rising, rng.random(n) * self.total, side="right")

    def _race(self, rng: np.random.Generator, passed: np.ndarray, negatives: int) -> tuple[np.ndarray, float]:
        """Return the places that arrive first, and when the next one does, by one arrival for every item."""
        with np.errstate(divide="ignore"):
            time = rng.standard_exponential(len(self.weight)) / self.weight
        time[passed] = np.inf
        order = np.argsort(time)
        return order[:negatives], float(time[order[negatives]]) if negatives < len(order) else np.inf

    def _arrivals(self, rng: np.random.Generator, passed: np.ndarray, negatives: int) -> tuple[np.ndarray, float]:
        """Return the same by a stream of draws with replacement at rate ``total``, of which repeats are left out."""
        place, time, now = np.empty(0, np.int64), np.empty(0), 0.0
        while True:
            n = 2 * (negatives + 1) + 16
            when = now + np.cumsum(rng.standard_exponential(n)) / self.total
            place, time, now = np.append(place, self._places(rng, n)), np.append(time, when), float(when[-1])
            first = np.sort(np.unique(place, return_index=True)[1])
            first = first[~is_in(place[first], passed)]
            if len(first) > negatives:
                return place[first[:negatives]], float(time[first[negatives]])


def is_in(values: np.ndarray, ascending: np.ndarray) -> np.ndarray:
    """Tell which values are among some that ascend; the latter are not none."""
    at = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    return ascending[at] == values
