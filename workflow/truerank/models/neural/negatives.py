"""Draw items that users do not have."""

import numpy as np


def unseen(rng, train, users):
    """Return an item per entry of ``users``, drawn from those that this user does not have.

    A user who has every item gets any. Draws that hit an item of the user are drawn again.
    """
    pairs = np.sort(train.user.astype(np.int64) * train.n_items + train.item)
    items = rng.integers(train.n_items, size=len(users))
    todo = np.flatnonzero(train.per_user[users] < train.n_items)
    while len(todo):
        wanted = users[todo].astype(np.int64) * train.n_items + items[todo]
        place = np.searchsorted(pairs, wanted)
        todo = todo[pairs[place.clip(max=len(pairs) - 1)] == wanted]
        items[todo] = rng.integers(train.n_items, size=len(todo))
    return items
