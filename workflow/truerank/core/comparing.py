"""Which models differ: every two of them, on the same users or on users of their own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtri
from scipy.stats import false_discovery_control

from truerank.estimators._core.user_sampling import difference_interval, errors, t_test
from truerank.meta.flips import pairs_of
from truerank.meta.many_users import compare_many
from truerank.meta.significance import compare, holm
from truerank.metrics._core.evaluation import mean_over_users
from truerank.metrics._core.intervals import ROUNDING, interval_of
from truerank.metrics._core.moments import Moments

SUMMARY = ["model", "metric", "k", "value", "ci_low", "ci_high", "users", "undefined"]
PAIRS = ["metric", "k", "model_a", "model_b", "difference", "ci_low", "ci_high", "effect_size"]
PAIRS += ["p_value", "p_holm", "p_fdr", "detectable"]
DRAWS = 100_000
MOST_USERS = 100_000  # with more, p is the normal approximation of the test where that is as good
ALPHA, POWER = 0.05, 0.8
STANDARD_ERRORS = ndtri(1 - ALPHA / 2) + ndtri(POWER)  # of a difference that is found with this power: 2.80


@dataclass(frozen=True)
class Scores:
    """One metric's values, users x models; NaN is undefined. low, high : the range of the metric."""

    values: np.ndarray
    metric: str | None = None
    k: str | None = None
    low: float = -np.inf
    high: float = np.inf
    undefined_users: str = "zero"


@dataclass(frozen=True)
class Compared:
    """The mean of every model, and the difference of every two: frames with the columns SUMMARY and PAIRS."""

    summary: pd.DataFrame
    pairs: pd.DataFrame


def compare_paired(
    models: Sequence[str],
    scores: Iterable[Scores],
    rng: np.random.Generator,
    users: ArrayLike | None = None,
    confidence: float = 0.95,
    draws: int = DRAWS,
    threads: int = 1,
) -> Compared:
    r"""Compare every two models by the differences d of the same n users.

    .. math:: \text{effect} = \bar d / s_d, \quad \text{detectable} = (z_{.975} + z_{.8}) \, s_d / \sqrt n

    p is that of the sign-flip test, the interval of each difference ``mean_interval`` of d, whose range follows from
    that of the metric. Adjusted p-values are over the pairs under one metric. users : integer codes, as ``compare`` has
    them. With more than 100,000 users p is as ``compare_many`` approximates it. Differences that are all equal have no
    effect size, and nothing says what would have been detectable: NaN.

    Benjamini & Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x, for ``p_fdr``.
    """
    tables = list(scores)
    values, policies = [table.values for table in tables], [table.undefined_users for table in tables]
    summary: list[dict[str, Any]] = []
    pairs: list[dict[str, Any]] = []
    if tables and len(values[0]) > MOST_USERS:
        comparisons = compare_many(values, rng, draws, policies, threads, MOST_USERS)
    else:
        comparisons = compare(values, rng, draws, users, policies, threads)
    for table, found in zip(tables, comparisons, strict=True):
        named = {"metric": table.metric, "k": table.k}
        for model, column in zip(models, table.values.T, strict=True):
            mean = mean_over_users(column, table.undefined_users, table.low, table.high, confidence)
            summary.append({"model": model, **named, **asdict(mean)})
        pairs += pair_rows(models, table, Differences.of(table), found.p_value, confidence)
    return Compared(pd.DataFrame(summary, columns=SUMMARY), pd.DataFrame(pairs, columns=PAIRS))


class Differences(NamedTuple):
    """The differences of all pairs of models under one metric, over users. size : the largest value of both."""

    moments: Moments
    size: np.ndarray

    @classmethod
    def of(cls, table: Scores) -> "Differences":
        """Return those of some users, to which ``plus`` adds others."""
        left, right = pairs_of(table.values.shape[1])
        undefined = np.isnan(table.values)
        values = np.where(undefined, 0.0, table.values).T
        known = ~(undefined.T[left] | undefined.T[right]) if table.undefined_users == "drop" else None
        size = np.maximum(np.abs(values[left]), np.abs(values[right]))
        size = size if known is None else np.where(known, size, 0.0)
        return cls(Moments.of(values[left] - values[right], known), size.max(axis=1, initial=0.0))

    def plus(self, other: "Differences") -> "Differences":
        return Differences(self.moments.plus(other.moments), np.maximum(self.size, other.size))

    def told(self, size: float, confidence: float) -> dict[str, np.ndarray]:
        """Return, per pair, the mean, its interval, the effect size, what was detectable. size : of the range."""
        n = self.moments.n
        with np.errstate(invalid="ignore", divide="ignore"):
            differ = (n > 1) & (self.moments.most - self.moments.least > ROUNDING * self.size)
            moments = self.moments.where(differ)
            mean = np.where(n > 0, moments.mean, np.nan)
            deviation = np.where(differ, np.sqrt(moments.second / np.maximum(n - 1, 1)), np.nan)
            low, high = interval_of(moments, -size, size, level=confidence)
            effect, detectable = mean / deviation, STANDARD_ERRORS * deviation / np.sqrt(n)
        ends = {"difference": mean, "ci_low": low, "ci_high": high}
        return ends | {"effect_size": effect, "detectable": np.where(n > 0, detectable, np.nan)}


def pair_rows(
    models: Sequence[str], table: Scores, of_pairs: Differences, p_value: np.ndarray, confidence: float
) -> Iterator[dict[str, Any]]:
    """Yield what is told of every pair under one metric, by the names in PAIRS."""
    numbers = of_pairs.told(table.high - table.low, confidence) | adjust(p_value)
    for place, (a, b) in enumerate(combinations(models, 2)):
        own = {name: float(values[place]) for name, values in numbers.items()}
        yield {"metric": table.metric, "k": table.k, "model_a": a, "model_b": b, **own}


def compare_independent(
    values: Mapping[str, np.ndarray], confidence: float = 0.95, low: float = -np.inf, high: float = np.inf
) -> Compared:
    r"""Compare every two models that were measured on users of their own, two at least, by Welch's test and interval.

    .. math:: \text{effect} = (m_a - m_b) \Big/ \sqrt{(s_a^2 + s_b^2) / 2}, \quad
        \text{detectable} = (z_{.975} + z_{.8}) \sqrt{s_a^2 / n_a + s_b^2 / n_b}

    values : per model, one per user, without NaN. low, high : the range of the metric. Both are NaN where no values
    differ.
    """
    means = {model: mean_over_users(own, "drop", low, high, confidence) for model, own in values.items()}
    summary = [{"model": model, "metric": None, "k": None, **asdict(mean)} for model, mean in means.items()]
    pairs = []
    for a, b in combinations(values, 2):
        difference, ci_low, ci_high = difference_interval(values[a], values[b], confidence)
        squares = errors(values[a], values[b])
        variance = (squares * [len(values[a]), len(values[b])]).mean() or np.nan
        named: dict[str, Any] = {"metric": None, "k": None, "model_a": a, "model_b": b}
        interval = {"difference": float(difference), "ci_low": float(ci_low), "ci_high": float(ci_high)}
        effect = float(difference / np.sqrt(variance))
        detectable = float(STANDARD_ERRORS * np.sqrt(squares.sum() or np.nan))
        pairs.append({**named, **interval, "effect_size": effect, "detectable": detectable})
    p_values = np.array([float(t_test(values[a], values[b])[1]) for a, b in combinations(values, 2)])
    frame = pd.DataFrame(pairs).assign(**adjust(p_values))
    return Compared(pd.DataFrame(summary, columns=SUMMARY), frame[PAIRS])


def power(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return, per metric and cut-off, the sum of p over unordered and ordered pairs, and how many pairs differ."""
    rows = [
        (metric, k, own.p_value.sum(), 2 * own.p_value.sum(), int((own.p_holm < ALPHA).sum()))
        for (metric, k), own in pairs.groupby(["metric", "k"], sort=False)
    ]
    return pd.DataFrame(rows, columns=["metric", "k", "dp", "dp_ordered", "separated"])


def adjust(p_values: np.ndarray) -> dict[str, np.ndarray]:
    """Return the p-values of pairs as they are, by Holm, and by Benjamini and Hochberg."""
    rates = false_discovery_control(p_values) if len(p_values) else p_values
    return {"p_value": p_values, "p_holm": holm(p_values), "p_fdr": rates}
