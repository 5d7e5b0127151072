"""Statistics of metrics measured on a sample of users: intervals, sample sizes, tests.

Li et al. 2024, doi:10.1145/3629171, section 7.
"""

import math

import numpy as np
from scipy.special import betaincinv, gammaln, ndtr, ndtri, stdtr, stdtrit  # scipy.stats is slow to import

Numbers = float | np.ndarray


def critical_value(confidence: float, comparisons: int = 1) -> float:
    """Return z for a two-sided interval; with several, all hold at once (Bonferroni)."""
    return -ndtri((1 - confidence) / comparisons / 2)


def normal_interval(
    values: np.ndarray, confidence: float = 0.95, comparisons: int = 1, population: float = math.inf
) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and half width from the central limit theorem. values : ... x users.

    The interval is for users still to come. With ``population`` it is for the mean of so many users, from whom these
    are drawn without replacement: narrower, and 0 wide where all are drawn; Cochran 1977, chapter 2.
    """
    n = values.shape[-1]
    spread = values.std(axis=-1, ddof=1) * math.sqrt((1 - n / population) / n)
    return values.mean(axis=-1), critical_value(confidence, comparisons) * spread


def difference_interval(
    one: np.ndarray, other: np.ndarray, confidence: float = 0.95, comparisons: int = 1
) -> tuple[float, float, float]:
    """Return the difference of the means of two independent samples of users, and the ends of its interval.

    Equation 51 with Welch's t for the normal quantile, which two users need and thousands do not notice. Hits, and a
    sample without spread, whose variance of 0 says nothing, get ``joined_intervals``: their values are from 0 to 1.
    """
    difference, tail = np.mean(one) - np.mean(other), (1 - confidence) / comparisons / 2
    if are_hits(one, other) or not (has_spread(one) and has_spread(other)):
        return difference, *joined_intervals(one, other, tail)
    half = -stdtrit(welch_freedom(one, other), tail) * math.sqrt(errors(one, other).sum())
    return difference, difference - half, difference + half


def joined_intervals(one: np.ndarray, other: np.ndarray, tail: float) -> tuple[float, float]:
    r"""Return the ends of the interval of a difference of two means of values between 0 and 1.

    .. math:: \Big(d - \sqrt{(m_1 - l_1)^2 + (u_2 - m_2)^2},\; d + \sqrt{(u_1 - m_1)^2 + (m_2 - l_2)^2}\Big)

    with the exact interval (l, u) of each mean m, as of a share of hits: no values between 0 and 1 spread more.

    Zou & Donner 2008, doi:10.1002/sim.3095.
    """
    (m_1, l_1, u_1), (m_2, l_2, u_2) = (exact_interval(sample, tail) for sample in (one, other))
    return m_1 - m_2 - math.hypot(m_1 - l_1, u_2 - m_2), m_1 - m_2 + math.hypot(u_1 - m_1, m_2 - l_2)


def exact_interval(hits: np.ndarray, tail: float) -> tuple[float, float, float]:
    """Return a mean and the ends of its interval. Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404."""
    n_hits, n = np.sum(hits), len(hits)
    low = betaincinv(n_hits, n - n_hits + 1, tail) if n_hits > 0 else 0.0
    high = betaincinv(n_hits + 1, n - n_hits, 1 - tail) if n_hits < n else 1.0
    return n_hits / n, low, high


def are_hits(*samples: np.ndarray) -> bool:
    return all(np.isin(sample, (0, 1)).all() for sample in samples)


def has_spread(sample: np.ndarray) -> bool:
    return np.ptp(sample) > 0


def hoeffding_half(n_users: int, confidence: float = 0.95, comparisons: int = 1) -> float:
    r"""Return t with :math:`2 e^{-2 n t^2} = 1 - \text{confidence}`, for values between 0 and 1; eq. 48."""
    return math.sqrt(math.log(2 * comparisons / (1 - confidence)) / (2 * n_users))


def users_for_one(
    margin: float, confidence: float = 0.95, models: int = 1, share: float = 0.5, population: float = math.inf
) -> int:
    r"""Return the users that give every one of ``models`` metrics this margin: :math:`p(1-p)(z/e)^2`, eq. 46."""
    return users_of(population, share * (1 - share) * (critical_value(confidence, models) / margin) ** 2)


def users_for_pairs(
    margin: float, confidence: float = 0.95, models: int = 2, share: float = 0.5, population: float = math.inf
) -> int:
    r"""Return the users that give every pair's difference this margin: :math:`2p(1-p)(z/e)^2`, eq. 52."""
    pairs = math.comb(models, 2)
    return users_of(population, 2 * share * (1 - share) * (critical_value(confidence, pairs) / margin) ** 2)


def users_of(population: float, users: float) -> int:
    r"""Return how many users, drawn without replacement, do for ``users`` of an endless population:
    :math:`n / (1 + n/M)`. Cochran 1977, chapter 4."""
    return math.ceil(users / (1 + users / population))


def users_by_hoeffding(margin: float, confidence: float = 0.95, models: int = 1, population: float = math.inf) -> float:
    """Return the users that give every metric between 0 and 1 this margin, whatever its distribution; at most all."""
    return min(math.ceil(math.log(2 * models / (1 - confidence)) / (2 * margin**2)), population)


def z_test(
    hits_one: Numbers, hits_other: Numbers, n_one: int, n_other: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    r"""Return z and the two-sided p-value for two recalls on independent samples of users.

    .. math:: z = (\hat p_1 - \hat p_2) \Big/ \sqrt{\bar p \bar q (1/n_1 + 1/n_2)}

    with the mean recall of all users; eq. 49 for samples of one size, where one number of users does. Equal recalls of
    0 or 1 give z = 0. The normal law is an approximation, and p is never less than an exact test can say.
    """
    n_other = n_other or n_one
    one, other = np.asarray(hits_one) / n_one, np.asarray(hits_other) / n_other
    mean = (np.asarray(hits_one) + hits_other) / (n_one + n_other)
    z = standardised(one, other, mean * (1 - mean) * (1 / n_one + 1 / n_other))
    return z, np.maximum(2 * ndtr(-np.abs(z)), least_p(n_one, n_other))


def one_sided_p(z: Numbers) -> np.ndarray:
    r"""Return the p-value against the first of two recalls being the lower one, :math:`\Phi(z)`; eq. 50.

    z : of ``z_test``. The two-sided p-value is twice the smaller of this and its complement.
    """
    return ndtr(np.asarray(z, float))


def t_test(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, float]:
    """Return t and the two-sided p-value for two metrics on independent samples of users, variances not pooled.

    one, other : a value per user, two at least. Samples without any spread give t = 0 where equal, and otherwise
    infinity, with the p-value of the permutation test.

    Welch 1947, doi:10.1093/biomet/34.1-2.28.
    """
    t = standardised(np.mean(one), np.mean(other), errors(one, other).sum())
    if not has_spread(one) and not has_spread(other):
        return t, least_p(len(one), len(other)) if t else 1.0
    return t, 2 * stdtr(welch_freedom(one, other), -np.abs(t))


def welch_freedom(one: np.ndarray, other: np.ndarray) -> float:
    """Return the degrees of freedom of Welch's t; one sample at least has some spread."""
    parts = errors(one, other)
    return parts.sum() ** 2 / (parts**2 / [len(one) - 1, len(other) - 1]).sum()


def least_p(n_one: int, n_other: int) -> float:
    """Return the least p-value that a two-sided permutation test of so many users can have: 2 of all ways to share."""
    log_binom = gammaln(n_one + n_other + 1) - gammaln(n_one + 1) - gammaln(n_other + 1)
    return min(2 * math.exp(-log_binom), 1.0)


def errors(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the squared standard errors of two means; rounding gives none to a sample without spread."""
    return np.array([has_spread(sample) and np.var(sample, ddof=1) / len(sample) for sample in (one, other)])


def standardised(one: Numbers, other: Numbers, variance: Numbers) -> np.ndarray:
    """Return the difference of two means in standard errors; 0 where only rounding parts them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.isclose(one, other, rtol=1e-12, atol=0), 0.0, (one - other) / np.sqrt(variance))
