"""Sum the products of vectors in a growing list."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def running_alikeness(item, start, index, value, width):
    """Return, users x depth, the sum over ordered pairs of different places up to this one of their vectors' products.

    item : users x depth codes, negative where nothing is listed. start, index, value : the vectors, items x ``width``
    in CSR form. Adding v to the sum s of the vectors before it adds 2 s.v to the sum over pairs.
    """
    result = np.empty(item.shape)
    for u in range(len(item)):
        s = np.zeros(width)
        total = 0.0
        for place in range(item.shape[1]):
            i = item[u, place]
            if i >= 0:
                product = 0.0
                for t in range(start[i], start[i + 1]):
                    before = s[index[t]]
                    product += before * value[t]
                    s[index[t]] = before + value[t]
                total += 2 * product
            result[u, place] = total
    return result
