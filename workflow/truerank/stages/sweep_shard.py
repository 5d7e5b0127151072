"""Sweep some of the thinned test sets: how well every metric keeps the order of models on them."""

from functools import lru_cache

import numpy as np

from truerank.artefacts.files import read_columns, read_parts, write_arrays
from truerank.artefacts.rank_table import Judgements, read_judgements
from truerank.artefacts.split import Split
from truerank.core.robustness import RankedUsers, sweep_sets
from truerank.meta.thinned_sets import labels_of, share_of_sets
from truerank.provenance import PathLike
from truerank.ranking.shards import blocks
from truerank.stages import Files, Settings

USERS_PER_BLOCK = 1 << 15


def sweep_shard(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write tau-b of every thinned set of the shard with the whole test set, of all users and of resamples of them.

    The sets are shared out, by fraction, and not the users, of whom some are in memory at a time. settings :
    ``metrics``, ``cutoffs``, ``evaluation``, ``robustness``, ``seed``; ``shards``, how many there are.
    """
    split, labels = Split.of(inputs), labels_of(settings.robustness)
    own = share_of_sets(labels, int(settings.names[-1]), settings.shards)
    rules = settings.metrics, settings.cutoffs, settings.evaluation, settings.robustness, settings.names[:-1]
    ranked, degree = ranked_users(inputs.ranks, split), item_degrees(split)
    found = sweep_sets(ranked, degree, [labels[place] for place in own], *rules, settings.seed, settings.threads)
    arrays = {"sets": np.array(own, int)}
    for number, of_rule in enumerate(found):
        named = {"columns": np.array(of_rule.columns), "tau": of_rule.tau, "resampled": of_rule.resampled}
        arrays |= {f"{name}_{number}": values for name, values in named.items()}
    write_arrays(outputs.sweep_shards, arrays)


def ranked_users(paths: list[PathLike], split: Split) -> RankedUsers:
    """Return the users of rank tables, which are ascending in them."""
    counted = [np.unique(part["user"].to_numpy(), return_counts=True) for part in read_parts(paths[:1], ["user"])]
    users, place = np.unique(np.concatenate([own for own, _ in counted]), return_inverse=True)
    rows = np.bincount(place, np.concatenate([count for _, count in counted]), len(users)).astype(int)
    some = blocks(len(users), USERS_PER_BLOCK)

    @lru_cache(maxsize=1)
    def read(block: int) -> tuple[list[Judgements], np.ndarray]:
        span = int(users[some[block]][0]), int(users[some[block]][-1])
        history = split.history(span)
        models = [read_judgements(path, history, split.scale, span) for path in paths]
        return models, read_columns(paths[0], "item", users=span)[0]

    return RankedUsers(some, [int(rows[block].sum()) for block in some], read)


def item_degrees(split: Split) -> np.ndarray:
    """Return how many training users each item has."""
    found = np.zeros(split.n_items, np.int64)
    for part in read_parts([split.train], ["item"]):
        found += np.bincount(part["item"].to_numpy(), minlength=split.n_items)
    return found
