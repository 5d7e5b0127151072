"""The moments of values over users, which are those of parts put together."""

from typing import NamedTuple

import numpy as np


class Moments(NamedTuple):
    """How many values there are, their mean, least and most, and sums of powers of what they deviate from the mean."""

    n: np.ndarray
    mean: np.ndarray
    least: np.ndarray
    most: np.ndarray
    second: np.ndarray
    third: np.ndarray
    fourth: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray, known: np.ndarray | None = None) -> "Moments":
        """Return the moments along the last axis. known : which values count, all if not given. No values, mean 0."""
        if known is None:
            n, kept = np.full(values.shape[:-1], values.shape[-1]), values
            least, most = values.min(axis=-1, initial=np.inf), values.max(axis=-1, initial=-np.inf)
        else:
            n, kept = known.sum(axis=-1), np.where(known, values, 0.0)
            least = np.where(known, values, np.inf).min(axis=-1, initial=np.inf)
            most = np.where(known, values, -np.inf).max(axis=-1, initial=-np.inf)
        mean = kept.sum(axis=-1) / np.maximum(n, 1)
        deviation = kept - mean[..., None]
        if known is not None:
            deviation[~known] = 0.0
        squares = deviation * deviation
        second, third = squares.sum(axis=-1), (squares * deviation).sum(axis=-1)
        return cls(n, mean, least, most, second, third, (squares * squares).sum(axis=-1))

    def plus(self, other: "Moments") -> "Moments":
        """Return the moments of the values of both. Pébay 2008, doi:10.2172/1028931."""
        a, b = (np.asarray(each.n, float) for each in (self, other))  # the cube of two million is no int64
        n = np.maximum(a + b, 1)
        step = np.where((a > 0) & (b > 0), other.mean - self.mean, 0.0)
        second = self.second + other.second + step**2 * a * b / n
        third = self.third + other.third + step**3 * a * b * (a - b) / n**2
        third = third + 3 * step * (a * other.second - b * self.second) / n
        fourth = self.fourth + other.fourth + step**4 * a * b * (a * a - a * b + b * b) / n**3
        fourth = fourth + 6 * step**2 * (a * a * other.second + b * b * self.second) / n**2
        fourth = fourth + 4 * step * (a * other.third - b * self.third) / n
        mean = np.where(a > 0, self.mean, other.mean) + step * b / n
        least, most = np.minimum(self.least, other.least), np.maximum(self.most, other.most)
        return Moments(self.n + other.n, mean, least, most, second, third, fourth)

    def where(self, differ: np.ndarray) -> "Moments":
        """Return the same where values differ, and equal values, each the mean, where they do not."""
        ends = np.where(differ, self.least, self.mean), np.where(differ, self.most, self.mean)
        powers = (np.where(differ, power, 0.0) for power in (self.second, self.third, self.fourth))
        return Moments(self.n, self.mean, *ends, *powers)
