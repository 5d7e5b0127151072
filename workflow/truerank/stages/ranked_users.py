"""The users of rank tables with their judgements under all models, read some at a time."""

from functools import lru_cache

import numpy as np

from truerank.artefacts.files import read_columns, read_parts
from truerank.artefacts.rank_table import Judgements, read_judgements
from truerank.artefacts.split import Split
from truerank.core.ranked_users import RankedUsers
from truerank.provenance import PathLike
from truerank.ranking.shards import blocks

USERS_PER_BLOCK = 1 << 15


def read_ranked_users(paths: list[PathLike], split: Split) -> RankedUsers:
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
