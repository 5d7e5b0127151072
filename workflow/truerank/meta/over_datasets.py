"""Do systems differ over several datasets: Friedman's test on their ranks, and Nemenyi's critical difference."""

import numpy as np
from scipy.special import gammaincc

ALPHA = 0.05


def ranks_within(values: np.ndarray) -> np.ndarray:
    """Return the place of each system on each dataset, 1 the largest value; equal values share the mean of theirs.

    values : datasets x systems, without NaN.
    """
    above = (values[:, None, :] > values[:, :, None]).sum(axis=2)
    same = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    return above + (same + 1) / 2


def friedman(ranks: np.ndarray) -> tuple[float, float]:
    r"""Return Friedman's statistic, corrected for ties, and its p-value by chi-square with k - 1 degrees of freedom.

    .. math:: (k - 1) \frac{\sum_j (R_j - n (k + 1) / 2)^2}{\sum_{ij} r_{ij}^2 - n k (k + 1)^2 / 4}

    ranks : n datasets x k systems, as ``ranks_within`` returns them. All equal: 0 and 1. With few datasets the p-value
    is rough. Friedman 1937, doi:10.1080/01621459.1937.10503522; Demšar 2006, JMLR 7, section 3.2.2.
    """
    n, k = ranks.shape
    spread = (ranks**2).sum() - n * k * (k + 1) ** 2 / 4
    if spread <= 0:
        return 0.0, 1.0
    statistic = (k - 1) * ((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum() / spread
    return float(statistic), float(gammaincc((k - 1) / 2, statistic / 2))


def critical_difference(n_datasets: int, n_systems: int) -> float:
    r"""Return by how much mean ranks must differ: :math:`q_{.05} \sqrt{k (k + 1) / (6 n)}`.

    q is the studentized range of k systems over the root of 2. Nemenyi 1963; Demšar 2006, JMLR 7, Table 5.
    """
    from scipy.stats import studentized_range  # slow to import, and few pages need it

    q = studentized_range.ppf(1 - ALPHA, n_systems, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_systems * (n_systems + 1) / (6 * n_datasets)))
