"""How well known the listed items are."""

from typing import TYPE_CHECKING

import numpy as np

from truerank.metrics._core.bounds import Bound
from truerank.metrics._core.judged import ratio
from truerank.registry import METRICS

if TYPE_CHECKING:
    from truerank.metrics._core.listed import Catalogue, TopLists


@METRICS.register(
    "popularity", higher_is_better=False, range=(0, Bound("M", lambda extent, k: extent.n_users)), needs="lists"
)
def popularity(listed: "TopLists", *, k: np.ndarray) -> np.ndarray:
    r"""Average the number of training users of the items in the first k places; less is more novel.

    .. math:: \frac{1}{n} \sum_{i \le k} d_i

    d_i is the number of users who have item i in training, of M. n = k or as many as are listed. A user with an empty
    list is undefined: NaN.

    Elsewhere: RecBole's ``AveragePopularity``.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    total = listed.sum_within(listed.of_item(listed.catalogue.degree), k)
    return ratio(total, listed.sum_within(listed.is_listed, k))


@METRICS.register(
    "sibn",
    higher_is_better=True,
    range=(0, Bound("log2 M", lambda extent, k: np.log2(extent.n_users))),
    needs="lists",
)
def sibn(listed: "TopLists", *, k: np.ndarray) -> np.ndarray:
    r"""Average the surprise of the items in the first k places: self-information based novelty, in bits.

    .. math:: \frac{1}{n} \sum_{i \le k} \log_2 \frac{M}{d_i}

    d_i is the number of users who have item i in training, of M; an item without training users counts as if it had
    one. n = k or as many as are listed. It is never undefined: an empty list has 0.

    Elsewhere: none of trec_eval, ranx, RecBole and scikit-learn has it.

    Source: Zhou et al. 2010, doi:10.1073/pnas.1000488107; Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    total = listed.sum_within(listed.of_item(self_information(listed.catalogue)), k)
    return total / np.maximum(listed.sum_within(listed.is_listed, k), 1)


@METRICS.register(
    "esibn",
    higher_is_better=True,
    range=(0, Bound("k log2 M", lambda extent, k: extent.places(k) * np.log2(extent.n_users))),
    needs="lists",
)
def esibn(listed: "TopLists", *, k: np.ndarray) -> np.ndarray:
    r"""Sum the surprise of the relevant items in the first k places: effective self-information based novelty, in bits.

    .. math:: \sum_{i \le k} [i \text{ relevant}] \log_2 \frac{M}{d_i}

    d_i as in ``sibn``. A user with no relevant item is undefined: NaN.

    Elsewhere: none of trec_eval, ranx, RecBole and scikit-learn has it.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    total = listed.sum_within(listed.relevant * listed.of_item(self_information(listed.catalogue)), k)
    return np.where(listed.judged.n_relevant[:, None] > 0, total, np.nan)


def self_information(catalogue: "Catalogue") -> np.ndarray:
    return np.log2(catalogue.n_users / np.maximum(catalogue.degree, 1))
