"""Where in the list the errors of prediction are, and how large they are."""

import numpy as np

from truerank.metrics._core.judged import JudgedRanks
from truerank.registry import METRICS


@METRICS.register("cse", higher_is_better=False, range=(0, np.inf), needs="predictions")
def cse(judged: JudgedRanks, *, k: np.ndarray, relevant_only: bool = False) -> np.ndarray:
    r"""Sum the squared errors of the user's k test items predicted highest.

    .. math:: \sum_{i \le k} e_i, \quad e_i = (y_i - \hat y_i)^2

    i counts test items from the one predicted highest. ``relevant_only`` leaves out test items that are not relevant;
    then a user with none left is undefined: NaN. A sum grows with the number of items that a user has.

    Elsewhere: no other tool has it.

    Source: Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, eq. 10.
    """
    return Errors(judged, k, relevant_only).summed()


@METRICS.register("dcse", higher_is_better=False, range=(0, np.inf), needs="predictions")
def dcse(judged: JudgedRanks, *, k: np.ndarray, relevant_only: bool = False) -> np.ndarray:
    r"""Discount the squared errors of the user's k test items predicted highest by their place.

    .. math:: \sum_{i \le k} \frac{e_i}{\log_2(i+1)}

    e, i and ``relevant_only``, and when it is undefined, as in ``cse``.

    Elsewhere: no other tool has it.

    Source: Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, eq. 11.
    """
    return Errors(judged, k, relevant_only).discounted()


@METRICS.register("wdcse", higher_is_better=False, range=(0, np.inf), needs="predictions")
def wdcse(judged: JudgedRanks, *, k: np.ndarray, relevant_only: bool = False) -> np.ndarray:
    r"""Discount the same squared errors in their worst order, the largest first.

    .. math:: \sum_{i \le k} \frac{e^*_i}{\log_2(i+1)}

    e* are the errors of the k test items predicted highest, from the largest down; ``relevant_only``, and when it is
    undefined, as in ``cse``. ``sdcse`` is ``dcse`` divided by this value, which is never less than ``dcse``.

    Elsewhere: no other tool has it.

    Source: Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, eq. 12 and 13.
    """
    return Errors(judged, k, relevant_only).in_worst_order()


@METRICS.register("sdcse", higher_is_better=False, range=(0, 1), needs="predictions")
def sdcse(judged: JudgedRanks, *, k: np.ndarray, relevant_only: bool = False) -> np.ndarray:
    r"""Discount the squared errors of the user's k test items predicted highest, over the worst order of these errors.

    .. math:: \sum_{i \le k} \frac{e_i}{\log_2(i+1)} \Big/ \sum_{i \le k} \frac{e^*_i}{\log_2(i+1)},
        \quad e_i = (y_i - \hat y_i)^2

    i counts test items from the one predicted highest, e* are the same k errors from the largest down; 0 where all are
    0. ``relevant_only`` leaves out test items that are not relevant; then a user with none left is undefined: NaN.
    It is a ratio, so it does not change if all errors are scaled, and it is 1 if all errors are equal, even if they are
    small: it shows where in the list errors are, not how large they are. ``dcse`` shows their size.

    Elsewhere: no other tool has it.

    Source: Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, eq. 14.
    """
    errors = Errors(judged, k, relevant_only)
    seen, worst = errors.discounted(), errors.in_worst_order()
    share = np.divide(seen, worst, where=worst > 0, out=np.zeros(seen.shape))
    return np.where(np.isnan(seen), np.nan, np.minimum(share, 1))


@METRICS.register("sdcse_accuracy", higher_is_better=True, range=(0, 1), needs="predictions")
def sdcse_accuracy(judged: JudgedRanks, *, k: np.ndarray, relevant_only: bool = False) -> np.ndarray:
    r"""Subtract ``sdcse`` from 1.

    .. math:: 1 - \mathrm{SDCSE}

    Settings, and when it is undefined, as in ``sdcse``. As ``sdcse`` is a ratio, this is 0 if all errors are equal,
    even if they are small.

    Elsewhere: no other tool has it.

    Source: Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, who print it as SDCSE in their examples.
    """
    return 1 - sdcse(judged, k=k, relevant_only=relevant_only)


class Errors:
    """The squared errors of every user's k test items predicted highest, users x cut-offs; NaN for a user with none.

    Rows are in order of rank, so by prediction. k : cut-offs in ascending order.
    """

    def __init__(self, judged: JudgedRanks, k: np.ndarray, relevant_only: bool) -> None:
        self.judged, self.k = judged, k
        kept = judged.relevant if relevant_only else np.ones(len(judged.row), bool)
        self.place = judged.running(kept)
        self.squared = kept * (judged.rating - judged.prediction) ** 2
        self.undefined = judged.sum_within(kept, k, self.place) == 0

    def summed(self) -> np.ndarray:
        return self.defined(self.judged.sum_within(self.squared, self.k, self.place))

    def discounted(self) -> np.ndarray:
        error = self.squared / np.log2(np.maximum(self.place, 1) + 1)
        return self.defined(self.judged.sum_within(error, self.k, self.place))

    def in_worst_order(self) -> np.ndarray:
        worst = [worst_order(self.judged, self.squared, self.place <= cutoff) for cutoff in self.k]
        return self.defined(np.column_stack(worst))

    def defined(self, sums: np.ndarray) -> np.ndarray:
        return np.where(self.undefined, np.nan, sums)


def worst_order(judged: JudgedRanks, error: np.ndarray, within: np.ndarray) -> np.ndarray:
    """Return, per user, the discounted sum of the errors of rows ``within`` from the largest down."""
    place = judged.place_by(np.where(within, error, -1))
    return judged.sum_by_user(within * error / np.log2(place + 1))
