"""How much of the catalogue the lists of all users show, and how evenly."""

from typing import TYPE_CHECKING

import numpy as np

from truerank.metrics._core.bounds import Bound
from truerank.registry import METRICS

if TYPE_CHECKING:
    from truerank.metrics._core.listed import TopLists


@METRICS.register("coverage", higher_is_better=True, range=(0, 1), needs="lists", per="system")
def coverage(listed: "TopLists", *, k: np.ndarray, relevant_only: bool = False) -> np.ndarray:
    r"""Count the items that are in the first k places of some list, divided by the number of items in the catalogue.

    .. math:: \frac{1}{N} \Big| \bigcup_u L_u^k \Big|

    ``relevant_only`` counts an item only if it is listed for a user to whom it is relevant. It is never undefined:
    empty lists cover nothing.

    Elsewhere: RecBole's ``ItemCoverage``.

    Source: Ge, Delgado-Battenfeld & Jannach 2010, doi:10.1145/1864708.1864761; Jalili et al. 2018,
    doi:10.1109/ACCESS.2018.2883742.
    """
    chosen = listed.relevant if relevant_only else None
    return np.array([(counts > 0).mean() for counts in listed.counts(k, chosen)])


@METRICS.register(
    "entropy",
    higher_is_better=True,
    range=(0, Bound("log2 N", lambda extent, k: np.log2(extent.n_items))),
    needs="lists",
    per="system",
)
def entropy(listed: "TopLists", *, k: np.ndarray) -> np.ndarray:
    r"""Take the entropy of the first k places of all lists over items: entropy coverage, in bits.

    .. math:: - \sum_i p_i \log_2 p_i

    p_i is item i's share of all places, so the p sum to 1; some slides use the share of lists. Without any listed item
    it is undefined: NaN.

    Elsewhere: RecBole's ``ShannonEntropy`` has the natural logarithm, and divides by the number of items listed.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return np.array([entropy_of(counts[counts > 0]) for counts in listed.counts(k)])


def entropy_of(counts: np.ndarray) -> float:
    p = counts / counts.sum()
    return abs((p * np.log2(p)).sum()) if len(p) else np.nan
