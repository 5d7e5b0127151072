r"""How likely each rank up to K is, for test items whose rank a search left open.

The chance that the candidate at a position comes ahead is a hazard by stratum s. In group g its head and tail have the
shapes of what was seen, :math:`h_{gs} = -\log(1 - p_{gs})`, with p shrunk to that of all groups. An atom (a, b, t)
multiplies the head's hazard by :math:`e^a`, and gives the tail :math:`\lambda_t` candidates ahead in all, spread as
:math:`h_{gs}^b`. Weights of the atoms are fitted by EM to all test items that were searched beyond the head. A
component is uniform in :math:`\lambda` from 0 up to :math:`\lambda_t`, so that the density of the number ahead never
rises, as that of P(R) does not in ``monotone_mle``. Stopping depends on what was seen alone, so it does not enter the
likelihood, except that a test item is among these only with fewer than K hits in its head: the head's likelihood is
divided by the chance of that.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import pdtr

from truerank.informed.strata import Seen, joined
from truerank.ranking.shards import blocks

SLOPES = np.array([0.5, 1.0, 1.6])  # b
HEADS = np.linspace(-3.5, 1.8, 10)  # a
STEP, LEAST_LEVEL, MOST_LEVEL = 0.35, 0.05, 1.5  # the grid of log lambda, from, and up to so many times the tail
ITERATIONS, OF_GROUP = 200, 30
TO_ALL, SHAPE_TO_ALL = 50.0, 30.0  # test items' worth that a group's weights, and its shape in draws, are drawn to all
MOST_FITTED = 20_000  # test items that weights are fitted to
BLOCK = 50_000
TINY = 1e-30


@dataclass(frozen=True)
class Atoms:
    """Of one group, per atom and stratum: hazards of the head, and of the tail by slope and level; and the levels."""

    head: np.ndarray
    tail: np.ndarray
    level: np.ndarray


@dataclass(frozen=True)
class Fitted:
    """The atoms of a group, and the weights of their levels."""

    atoms: Atoms
    points: np.ndarray


def rank_law(seen: Seen, n_places: int, rng: np.random.Generator) -> np.ndarray:
    """Return the law of the ranks of test items that are in memory. See ``rank_laws``."""
    return next(rank_laws(lambda: (seen,), n_places, rng))


def rank_laws(parts: Callable[[], Iterable[Seen]], n_places: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield P(R = 1), .., P(R = K) of each test item, part by part; what is missing to 1 is R > K.

    parts : of all test items, the same each time. A row of a test item whose rank is known has a single 1, or none.
    rng : chooses the test items that weights are fitted to, where there are more than 20,000. Without any candidate
    scored beyond the head the law is the prior's.
    """
    fitted = fitted_groups(parts, rng)
    for seen in parts():
        yield law_of_part(seen, fitted, n_places)


def fitted_groups(parts: Callable[[], Iterable[Seen]], rng: np.random.Generator) -> Mapping[int, Fitted]:
    """Return what is fitted to all test items, by group; nothing if all are decided, or none went beyond the head."""
    n, most, undecided, groups = 0, 0.0, False, set[int]()
    for seen in parts():
        n += int(np.count_nonzero(seen.entered))
        most = max(most, float(seen.size[:, ~seen.in_head].sum(axis=1).max(initial=0)))
        undecided = undecided or bool(seen.undecided.any())
        groups.update(np.unique(seen.group).tolist())
    if not undecided or not n:
        return {}
    seen = chosen(parts, np.sort(rng.choice(n, MOST_FITTED, replace=False)) if n > MOST_FITTED else np.arange(n))
    atoms = {group: atoms_of(seen, group, most) for group in sorted(groups)}
    likelihood = {group: likelihood_of(seen, np.flatnonzero(seen.group == group), own) for group, own in atoms.items()}
    level = next(iter(atoms.values())).level
    start = np.tile(level / level.sum(), (len(HEADS), len(SLOPES), 1)) / (len(HEADS) * len(SLOPES))
    heads, tails = (np.concatenate(each) for each in zip(*likelihood.values(), strict=True))
    weights = fit(heads, tails, level, start, ITERATIONS)
    of_group = {group: fit(*own, level, weights, OF_GROUP, weights, TO_ALL) for group, own in likelihood.items()}
    return {group: Fitted(own, as_points(of_group[group], level)) for group, own in atoms.items()}


def chosen(parts: Callable[[], Iterable[Seen]], places: np.ndarray) -> Seen:
    """Return some of the test items that were searched beyond the head. places : among these, ascending."""
    found, first = [], 0
    for seen in parts():
        entered = np.flatnonzero(seen.entered)
        own = places[slice(*np.searchsorted(places, [first, first + len(entered)]))] - first
        found.append(seen.rows(entered[own]))
        first += len(entered)
    return joined(found)


def law_of_part(seen: Seen, fitted: Mapping[int, Fitted], n_places: int) -> np.ndarray:
    """Return P(R = 1), .., P(R = K) of each test item of a part."""
    have = n_places - seen.needed + seen.hits.sum(axis=1).astype(np.int64)  # certainly ahead, test items included
    law = np.zeros((len(have), n_places))
    sure = np.flatnonzero(~seen.undecided & (have < n_places))
    law[sure, have[sure]] = 1
    for group, of_group in fitted.items():
        rows = np.flatnonzero(seen.undecided & (seen.group == group))
        for block in blocks(len(rows), BLOCK):
            law[rows[block]] = law_of(seen, rows[block], of_group.atoms, of_group.points, have[rows[block]], n_places)
    return law


def atoms_of(seen: Seen, group: int, most: float) -> Atoms:
    """Return the hazards of a group's atoms; the grid of levels is the same for all groups.

    seen : of the test items that weights are fitted to. most : candidates behind the head of any test item.
    """
    hits, draws, size = seen.hits, seen.draws, seen.size
    shape = np.clip((hits.sum(axis=0) + 0.5) / (draws.sum(axis=0) + 10.0), 1e-7, 0.999)
    own = seen.group == group
    drawn = draws[own].sum(axis=0) + SHAPE_TO_ALL
    chance = np.clip((hits[own].sum(axis=0) + SHAPE_TO_ALL * shape) / drawn, 1e-7, 0.999)
    log_hazard = np.log(-np.log1p(-chance))
    tail, mean_size = ~seen.in_head, size.mean(axis=0)
    level = np.exp(np.arange(np.log(LEAST_LEVEL), np.log(MOST_LEVEL * max(most, 1.0)) + STEP, STEP))
    centred = log_hazard[tail] - log_hazard[tail].mean()
    spread = np.exp(SLOPES[:, None] * centred)
    spread /= np.maximum(spread @ mean_size[tail], 1e-12)[:, None]
    of_tail = np.clip(spread[:, None, :] * level[None, :, None], 1e-12, 20.0)
    of_head = np.exp(np.minimum(HEADS[:, None] + log_hazard[seen.in_head], 3.0))
    return Atoms(of_head, of_tail, level)


def likelihood_of(seen: Seen, rows: np.ndarray, atoms: Atoms) -> tuple[np.ndarray, np.ndarray]:
    """Return the likelihoods of test items, up to a factor each: x heads, and x slopes x levels."""
    head, tail = seen.in_head, ~seen.in_head
    hits, draws = seen.hits[rows], seen.draws[rows]
    of_head = log_likelihood(hits[:, head], draws[:, head], atoms.head)
    expected = seen.size[rows][:, head] @ -np.expm1(-atoms.head).T
    of_head -= np.log(np.maximum(pdtr(np.maximum(seen.needed[rows, None] - 1, 0), expected), 1e-12))
    flat = atoms.tail.reshape(-1, atoms.tail.shape[-1])
    of_tail = log_likelihood(hits[:, tail], draws[:, tail], flat)
    scaled = [np.exp(each - each.max(axis=1, keepdims=True)).astype(np.float32) for each in (of_head, of_tail)]
    return scaled[0], scaled[1].reshape(len(rows), *atoms.tail.shape[:-1])


def log_likelihood(hits: np.ndarray, draws: np.ndarray, hazard: np.ndarray) -> np.ndarray:
    """Return the log-likelihood of hits among draws, test items x atoms, with chance 1 - exp(-hazard) each."""
    return hits @ np.log(-np.expm1(-hazard)).T - (draws - hits) @ hazard.T


def fit(
    head: np.ndarray,
    tail: np.ndarray,
    level: np.ndarray,
    start: np.ndarray,
    iterations: int,
    to: np.ndarray | None = None,
    strength: float = 0.0,
) -> np.ndarray:
    """Return the weights of components, heads x slopes x levels, by EM.

    to, strength : weights that they are drawn to, as by so many more test items. A likelihood is a product of head and
    tail, so that a step takes two matrix products of heads x (slopes x levels), never one of all atoms x test items.
    """
    n, shape = len(head), start.shape
    widths = np.diff(level, prepend=0.0).astype(np.float32)
    uniform = np.cumsum(tail * widths, axis=2) / level.astype(np.float32)
    uniform = np.ascontiguousarray(uniform.reshape(n, shape[1] * shape[2]), np.float32)
    prior = 0.0 if to is None else strength * to.reshape(shape[0], -1)
    weights = start.reshape(shape[0], -1)
    for _ in range(iterations if n else 0):
        chance = np.einsum("ij,ij->i", head @ weights.astype(np.float32), uniform)
        share = (head / np.maximum(chance, TINY)[:, None]).T @ uniform
        weights = (weights * share + prior) / (n + strength)
    return (weights / weights.sum()).reshape(shape)


def as_points(weights: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Turn weights of components that are uniform up to a level into weights of the levels themselves."""
    upwards = np.cumsum((weights / level)[..., ::-1], axis=-1)[..., ::-1]
    return upwards * np.diff(level, prepend=0.0)


def law_of(
    seen: Seen, rows: np.ndarray, atoms: Atoms, points: np.ndarray, have: np.ndarray, n_places: int
) -> np.ndarray:
    """Return P(R = k) for k up to K: the candidates not scored that come ahead are Poisson, given the atom."""
    head, tail = likelihood_of(seen, rows, atoms)
    flat = atoms.tail.reshape(-1, atoms.tail.shape[-1])
    chance = (head @ points.reshape(len(points), -1).astype(np.float32)) * tail.reshape(len(rows), -1)
    chance /= np.maximum(chance.sum(axis=1, keepdims=True), TINY)
    rest = ((seen.size - seen.draws)[rows][:, ~seen.in_head] @ flat.T.astype(np.float32)).astype(np.float32)
    term = chance * np.exp(-rest)
    law = np.zeros((len(rows), n_places))
    each = np.arange(len(rows))
    for more in range(n_places):
        law[each, np.minimum(have + more, n_places - 1)] += np.where(have + more < n_places, term.sum(axis=1), 0)
        term *= rest / np.float32(more + 1)
    return law
