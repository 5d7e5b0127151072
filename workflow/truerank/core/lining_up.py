"""What models put ahead of each test item, with candidates in the order of a proxy."""

from collections.abc import Iterator, Mapping

import numpy as np

from truerank.core.training import Trained
from truerank.errors import UserError
from truerank.informed.ahead import Ahead, line_up
from truerank.informed.search import is_ahead
from truerank.models._core.base import Train
from truerank.provenance import generator
from truerank.ranking.shards import shard_of
from truerank.registry import SAMPLERS, Definition
from truerank.sampling._core.instances import Instances

POPULARITY = "popularity"
CELLS_AT_ONCE = 1 << 20


def lined_up(
    instances: Instances,
    models: Mapping[str, Trained],
    history: Train,
    sampler: Definition,
    names: tuple[str, ...],
    seed: int,
) -> Iterator[dict[str, np.ndarray]]:
    """Yield ``bits``, models x instances x bytes, with ``n`` and ``own_rank`` as ``Ahead`` has them, for some instances
    of one shard at a time.

    Every model scores all candidates once, so that any number of repeats can be searched without asking again.
    """
    proxy = {**SAMPLERS.of(sampler).defaults, **sampler}["proxy"]
    if proxy != POPULARITY and proxy not in models:
        raise UserError(
            f"sampler {names[-1]!r} has the proxy {proxy!r}, and the dataset {names[0]!r} cannot have that model; "
            f"choose {POPULARITY}, or another model of select.sampling.models"
        )
    step = max(1, CELLS_AT_ONCE // history.n_items)
    own = shard_of(len(instances.user), step, *instances.shard)
    if own.start == own.stop:
        bits, nothing = np.zeros((len(models), 0, -(-history.n_items // 8)), np.uint8), np.zeros(0, np.int64)
        yield {"bits": bits, "n": nothing, "own_rank": nothing}
    for start in range(own.start, own.stop, step):
        rows = np.arange(start, min(start + step, own.stop))
        found = list(block(instances, rows, models, history, proxy, (*names[:2], proxy), seed).values())
        yield {"bits": np.stack([each.bits for each in found]), "n": found[0].n, "own_rank": found[0].own_rank}


def block(
    instances: Instances,
    rows: np.ndarray,
    models: Mapping[str, Trained],
    history: Train,
    proxy: str,
    names: tuple[str, ...],
    seed: int,
) -> dict[str, Ahead]:
    """Return what every model puts ahead of some instances."""
    user, own = instances.user[rows], instances.item[rows]
    placed = generator(seed, "informed", "proxy", *names).permutation(history.n_items)
    among = instances.among
    is_candidate = np.zeros((len(rows), history.n_items), bool)
    is_candidate[:, among.pool] = True
    barred = among.barred[user].tocoo()
    is_candidate[barred.row, barred.col] = False
    everything = np.broadcast_to(np.arange(history.n_items), is_candidate.shape)
    scores = {name: scored(name, model, history, user) for name, model in models.items()}
    of_proxy = scores[proxy] if proxy in scores else np.broadcast_to(history.degree.astype(float), is_candidate.shape)
    line = line_up(of_proxy, placed, own, is_candidate)
    hashes = instances.hashes(user[:, None], everything)
    found = {}
    for name, of_model in scores.items():
        test = np.take_along_axis(of_model, own[:, None], axis=1)
        found[name] = line.ahead(is_ahead(of_model, hashes, test, instances.tie_hash[rows][:, None]))
    return found


def scored(name: str, model: Trained, history: Train, user: np.ndarray) -> np.ndarray:
    """Return the scores of all items, once for each different user."""
    different, place = np.unique(user, return_inverse=True)
    scores = model.recommender.scores(model.learnt, history, different)
    if np.isnan(scores).any():
        raise UserError(f"model {name!r} gives scores that are not a number")
    return scores[place]
