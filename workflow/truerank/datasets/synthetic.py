"""Made-up interactions of any size, with tastes to be learnt and popularity that falls off as a power."""

import numpy as np

from truerank.datasets._core.interactions import NO_TIME, Context, Interactions
from truerank.errors import UserError
from truerank.registry import DATASETS, Count, NonNegative

BLOCK = 1 << 20
FIRST_SECOND, DAY = 1_500_000_000, 86_400


@DATASETS.register("synthetic", memory_mb=4_000)
def synthetic(
    context: Context,
    *,
    users: Count,
    items: Count,
    interactions: Count,
    factors: Count = 8,
    exponent: NonNegative = 0.8,
    ratings: bool = True,
    timestamps: bool = True,
) -> Interactions:
    r"""Draw pairs from a mixture of ``factors`` tastes over items of power-law popularity.

    .. math:: P(u, i) = a_u \sum_z \theta_{uz} \phi_{zi}, \qquad \phi_{zi} \propto w_{zi}\, q_i^{-s}

    with activity a log-normal, tastes θ Dirichlet, appeal w Gamma, q the places 1, 2, .. in a random order
    and s the ``exponent``. Pairs are distinct, exactly ``interactions`` of them, and every user and item has
    one at least. A rating, 1 to 5, rises with the user's taste for the item. Memory is proportional to
    interactions + factors (users + items).
    """
    if not max(users, items) <= interactions <= users * items:
        raise UserError(
            f"datasets.{context.name}.interactions is {interactions:,}, but {users:,} users and {items:,} "
            f"items need {max(users, items):,} for each to occur and have {users * items:,} pairs; change it"
        )
    rng = context.rng
    taste = rng.dirichlet(np.full(factors, 0.3), size=users)
    appeal = rng.gamma(0.5, size=(factors, items)) + 1e-3
    popularity = rng.permutation(np.arange(1, items + 1, dtype=np.float64)) ** -exponent
    steps = cumulative(rng.lognormal(size=(1, users))), cumulative(taste), cumulative(appeal * popularity)
    pair = distinct_pairs(rng, interactions, users, items, steps)
    user, item = (pair // items).astype(np.int32), (pair % items).astype(np.int32)
    absent = np.full(interactions, np.nan, dtype=np.float32)
    return Interactions(
        user=user,
        item=item,
        rating=rating_of(rng, user, item, taste, appeal) if ratings else absent,
        timestamp=time_of(rng, user, users) if timestamps else np.full(interactions, NO_TIME, dtype=np.int64),
        users={"id": [str(number) for number in range(1, users + 1)]},
        items={"id": [str(number) for number in range(1, items + 1)]},
        scale=(1, 5) if ratings else None,
        notes={"origin": "drawn at random"},
    )


def distinct_pairs(
    rng: np.random.Generator, n: int, users: int, items: int, steps: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> np.ndarray:
    """Draw ``n`` distinct pairs, as sorted numbers user * items + item.

    The first max(users, items) pairs make sure that everyone occurs. Draws that repeat a pair are replaced by
    new ones, of which ever more are uniform, so that crowded favourites cannot keep it from ending.
    """
    everyone = np.arange(max(users, items))
    pairs = np.sort(rng.permutation(users)[everyone % users] * items + rng.permutation(items)[everyone % items])
    uniform = 0.0
    while len(pairs) < n:
        missing = n - len(pairs)
        n_draws = int(1.1 * missing / (1 - len(pairs) / (users * items))) + 1
        sizes = np.diff(np.append(np.arange(0, n_draws, BLOCK), n_draws))
        drawn = np.sort(np.concatenate([draw_pairs(rng, size, users, items, steps, uniform) for size in sizes]))
        fresh = drawn[np.append(True, drawn[1:] != drawn[:-1])]
        fresh = fresh[pairs[np.searchsorted(pairs, fresh).clip(max=len(pairs) - 1)] != fresh]
        if len(fresh) > missing:
            fresh = rng.choice(fresh, missing, replace=False)
        pairs = np.sort(np.concatenate([pairs, fresh]), kind="stable")
        uniform = min(1.0, uniform + 0.05)
    return pairs


def draw_pairs(
    rng: np.random.Generator,
    n: int,
    users: int,
    items: int,
    steps: tuple[np.ndarray, np.ndarray, np.ndarray],
    uniform: float,
) -> np.ndarray:
    """Draw ``n`` pairs, not distinct: user by activity, factor by taste, item by the factor's appeal."""
    activity, taste, appeal = steps
    user = choose(rng, activity, np.zeros(n, dtype=np.int64))
    item = choose(rng, appeal, choose(rng, taste, user))
    at_random = rng.random(n) < uniform
    user[at_random] = rng.integers(users, size=at_random.sum())
    item[at_random] = rng.integers(items, size=at_random.sum())
    return user * items + item


def cumulative(weights: np.ndarray) -> np.ndarray:
    """Rows of weights as one ascending line: row r runs from r to r + 1."""
    line = np.cumsum(weights, axis=1)
    line /= line[:, -1:]
    line[:, -1] = 1
    return line + np.arange(len(line))[:, None]


def choose(rng: np.random.Generator, line: np.ndarray, row: np.ndarray) -> np.ndarray:
    """Draw one column of each given row, in proportion to the weights that ``cumulative`` was given."""
    width = line.shape[1]
    place = np.searchsorted(line.ravel(), row + rng.random(len(row)), side="right")
    return np.minimum(place - row * width, width - 1)


def rating_of(
    rng: np.random.Generator, user: np.ndarray, item: np.ndarray, taste: np.ndarray, appeal: np.ndarray
) -> np.ndarray:
    """Whole ratings from 1 to 5: the standardised log of the user's taste for the item, and noise."""
    affinity = np.empty(len(user))
    for start in range(0, len(user), BLOCK):
        block = slice(start, start + BLOCK)
        affinity[block] = np.log(np.einsum("uz,zu->u", taste[user[block]], appeal[:, item[block]]))
    affinity = (affinity - affinity.mean()) / (affinity.std() or 1)
    return np.clip(np.rint(3.6 + 0.9 * affinity + 0.6 * rng.standard_normal(len(user))), 1, 5).astype(np.float32)


def time_of(rng: np.random.Generator, user: np.ndarray, users: int) -> np.ndarray:
    """Whole seconds: each user comes on some day of three years and stays for about a month."""
    arrival = rng.integers(3 * 365 * DAY, size=users)
    return FIRST_SECOND + arrival[user] + rng.exponential(30 * DAY, size=len(user)).astype(np.int64)
