"""One figure made of several metrics."""

from collections.abc import Mapping

import numpy as np

from truerank.registry import METRICS

OF = ("inter_user", "sibn", "coverage", "precision", "rbp")


@METRICS.register("unified", higher_is_better=True, range=(0, 1), needs="values", per="system")
def unified(
    values: Mapping[str, np.ndarray],
    *,
    k: np.ndarray,
    of: list[str] = OF,  # type: ignore[assignment]  # JSON has no tuples, and a list could be changed
) -> np.ndarray:
    r"""Take the harmonic mean of chosen metrics, each divided by its upper bound; 0 if one of them is 0.

    .. math:: n \Big/ \sum_{m=1}^{n} \frac{b_m}{x_m}

    x are means over users or values of the system, b the upper ends of the metrics' ranges, so novelty is divided by
    log2 M. ``of`` names metrics, or variants of metrics, that are selected too; higher must be better, from 0 up to a
    bound. It is undefined where one of them is: NaN, and absent where one is absent.

    Elsewhere: no other tool has it.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742, whose five metrics are the default.
    """
    shares = np.array([np.broadcast_to(values[name], len(k)) for name in of])
    inverse = np.divide(1, shares, where=shares != 0, out=np.full(shares.shape, np.inf))
    return len(of) / inverse.sum(axis=0)
