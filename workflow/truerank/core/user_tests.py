"""How often a test on a sample of users finds the model that is better on all of them."""

from itertools import combinations

import numpy as np
import pandas as pd

from truerank.estimators._core.user_sampling import one_sided_p, standardised, z_test
from truerank.meta.kendall import pair_orders

LEVEL = 0.05
USER_TESTS = ["sampler", "metric", "k", "model_a", "model_b", "one_sided", "two_sided", "wrong", "repeats"]


def user_tests(sampler: str, values: np.ndarray, exact: pd.DataFrame, hits: np.ndarray) -> pd.DataFrame:
    """Return, per pair and metric, the repeats in which a test at the 5 % level finds the larger value.

    ``one_sided`` : against the hypothesis of eq. 50 for the model that is larger on all instances, ``two_sided`` : the
    two-sided test, in this direction; ``wrong`` : the one-sided test for the other model. Both are two-sample tests, as
    if models had different users; here they have the same ones, so they reject less often than a paired test. A pair
    that is exactly equal has no larger value: null.

    values : models x repeats x instances x columns, the metrics of the chosen instances. exact : the means over all
    instances, models x columns. hits : per column, whether every value is 0 or 1.

    Li et al. 2024, doi:10.1145/3629171, eq. 49 and 50.
    """
    z = differences(values, hits)
    orders = pair_orders(exact.to_numpy().T)
    pairs, rows = list(combinations(exact.index, 2)), []
    for place, column in enumerate(exact.columns):
        metric, _, k = column.rpartition("@")
        for pair, way, found in zip(pairs, orders[place], z[:, :, place], strict=True):
            p = one_sided_p(-way * found)  # against the larger one being the lower one
            counts = [p <= LEVEL, p <= LEVEL / 2, p >= 1 - LEVEL]
            figures = [int(count.sum()) if way else None for count in counts]
            rows.append([sampler, metric, k, *pair, *figures, values.shape[1]])
    return pd.DataFrame(rows, columns=USER_TESTS)


def differences(values: np.ndarray, hits: np.ndarray) -> np.ndarray:
    """Return the differences of two models' means in standard errors, pairs x repeats x columns: eq. 49 for hits."""
    n, mean = values.shape[2], values.mean(axis=2)
    variance = np.maximum((values**2).mean(axis=2) - mean**2, 0) / (n - 1)
    one, other = np.array(list(combinations(range(len(values)), 2)), int).reshape(-1, 2).T
    z = standardised(mean[one], mean[other], variance[one] + variance[other])
    z[..., hits] = z_test(n * mean[one][..., hits], n * mean[other][..., hits], n)[0]
    return z
