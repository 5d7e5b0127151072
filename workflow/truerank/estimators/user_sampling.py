"""Statistics of metrics measured on a sample of users: intervals, sample sizes, tests.

Li et al. 2024, doi:10.1145/3629171, section 7.
"""

import math

import numpy as np
from scipy.special import ndtr, ndtri  # scipy.stats has them too, and takes half a second to import


def critical_value(confidence, comparisons=1):
    """Return z for a two-sided interval; with several, all hold at once (Bonferroni)."""
    return -ndtri((1 - confidence) / comparisons / 2)


def normal_interval(values, confidence=0.95, comparisons=1):
    """Return mean and half width from the central limit theorem. values : ... x users."""
    n = values.shape[-1]
    return values.mean(axis=-1), critical_value(confidence, comparisons) * values.std(axis=-1, ddof=1) / math.sqrt(n)


def hoeffding_half(n_users, confidence=0.95, comparisons=1):
    r"""Return t with :math:`2 e^{-2 n t^2} = 1 - \text{confidence}`, for values between 0 and 1; eq. 48."""
    return math.sqrt(math.log(2 * comparisons / (1 - confidence)) / (2 * n_users))


def users_for_one(margin, confidence=0.95, models=1, share=0.5):
    r"""Return the users that give every one of ``models`` metrics this margin: :math:`p(1-p)(z/e)^2`, eq. 46."""
    return math.ceil(share * (1 - share) * (critical_value(confidence, models) / margin) ** 2)


def users_for_pairs(margin, confidence=0.95, models=2, share=0.5):
    r"""Return the users that give every pair's difference this margin: :math:`2p(1-p)(z/e)^2`, eq. 52."""
    pairs = math.comb(models, 2)
    return math.ceil(2 * share * (1 - share) * (critical_value(confidence, pairs) / margin) ** 2)


def users_by_hoeffding(margin, confidence=0.95, models=1):
    """Return the users that give every metric between 0 and 1 this margin, whatever its distribution."""
    return math.ceil(math.log(2 * models / (1 - confidence)) / (2 * margin**2))


def z_test(hits_one, hits_other, n_users):
    r"""Return z and the two-sided p-value for two recalls on samples of n users: :math:`\hat p_1 - \hat p_2` over
    :math:`\sqrt{2 \bar p \bar q / n}`, eq. 49. Equal recalls of 0 or 1 give z = 0."""
    one, other = np.asarray(hits_one) / n_users, np.asarray(hits_other) / n_users
    mean = (one + other) / 2
    spread = np.sqrt(2 * mean * (1 - mean) / n_users)
    z = np.divide(one - other, spread, where=spread > 0, out=np.zeros_like(spread))
    return z, 2 * ndtr(-np.abs(z))


def t_test(one, other):
    """Return t and the two-sided p-value for two metrics on independent samples of users, variances not pooled."""
    from scipy import stats

    return stats.ttest_ind(one, other, equal_var=False)


def bonferroni(p_values):
    """Return p-values that hold for all comparisons at once."""
    return np.minimum(np.asarray(p_values) * np.size(p_values), 1.0)
