"""Do predicted ratings sell an item above or below what its user thinks of it?"""

import numpy as np


def migration(user, true, predicted, margin, n):
    r"""Return the shares of up-sold, down-sold and perfectly sold items, averaged over users.

    .. math:: us = \#\{p_j > t_j + \lambda\} / N, \quad ds = \#\{p_j < t_j - \lambda\} / N, \quad ps = 1 - us - ds

    user, true, predicted : one entry per test item. Each user's ``n`` items with the highest predictions count, or as
    many as there are; equal predictions in the order of the rows. margin : lambda. Without rows the shares are NaN.

    Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646, eq. 16-20; eq. 17 prints +lambda for down-sold, under
    which nearly everything is.
    """
    order = np.lexsort((-predicted, user))
    _, first, row = np.unique(user[order], return_index=True, return_inverse=True)
    listed = np.arange(len(order)) - first[row] < n
    row, error = row[listed], (predicted - true)[order][listed]
    size = np.bincount(row)
    up, down = (np.bincount(row, sold) / size for sold in (error > margin, error < -margin))
    return tuple(share.mean() if len(share) else np.nan for share in (up, down, 1 - up - down))
