"""Language models of users or items: what each has, smoothed with what everybody has."""

from typing import Literal

import numpy as np
from scipy import sparse

from truerank.errors import UserError
from truerank.models._core.neighbours import inverse, row_sums, scaled

Smoothing = Literal["jelinek_mercer", "dirichlet", "absolute"]


def background(counts: sparse.csr_matrix) -> np.ndarray:
    """Return p(f|C) of every feature f. counts : sparse, documents x features.

    A feature that no document has counts as half of the rarest one, so that no logarithm is infinite.
    """
    mass = np.asarray(counts.sum(axis=0), np.float64).ravel()
    mass[mass <= 0] = mass[mass > 0].min() / 2 if (mass > 0).any() else 1
    return mass / mass.sum()


def smoothed(counts: sparse.csr_matrix, smoothing: Smoothing, amount: float) -> tuple[sparse.csr_matrix, np.ndarray]:
    r"""Return the two parts of p(f|d): ``seen``, documents x features in CSR form, and ``spare``, per document.

    .. math:: p(f|d) = \mathrm{seen}_{df} + \mathrm{spare}_d \, p(f|C)

    c is the count, |d| its sum over the document. ``jelinek_mercer``: seen (1 - a) c/|d|, spare a, 0 < a < 1.
    ``dirichlet``: seen c/(|d| + a), spare a/(|d| + a). ``absolute``: seen max(c - a, 0)/|d|, spare the rest, 0 < a < 1.
    An empty document is p(f|C) itself.
    """
    if smoothing != "dirichlet" and not amount < 1:
        raise UserError(f"smoothing {smoothing} needs an amount below 1, and it is {amount}")
    length = row_sums(counts)
    if smoothing == "jelinek_mercer":
        seen = scaled(counts, (1 - amount) * inverse(length))
    elif smoothing == "dirichlet":
        seen = scaled(counts, 1 / (length + amount))
    else:
        seen = scaled(counts, inverse(length))
        seen.data = np.maximum(seen.data - amount * np.repeat(inverse(length), np.diff(seen.indptr)), 0)
    return seen, 1 - row_sums(seen)


def log_odds(seen: sparse.csr_matrix, spare: np.ndarray, common: np.ndarray) -> tuple[sparse.csr_matrix, np.ndarray]:
    r"""Return the parts of the log-likelihood of a query under each document, over that under p(.|C).

    .. math:: \log \prod_{f \in q} \Big(\frac{p(f|d)}{p(f|C)}\Big)^{q_f} = \sum_{f \in q \cap d} q_f
        \log\Big(1 + \frac{\mathrm{seen}_{df}}{\mathrm{spare}_d \, p(f|C)}\Big) + \log(\mathrm{spare}_d) \sum_f q_f

    The first factor is returned as documents x features in CSR form, the logarithm of spare per document.
    """
    gain = seen.copy()
    gain.data = np.log1p(seen.data / (np.repeat(spare, np.diff(seen.indptr)) * common[seen.indices]))
    return gain, np.log(spare)
