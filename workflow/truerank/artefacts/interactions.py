"""The rows of a dataset, of which those of some users are in memory at a time."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from truerank.artefacts.files import read_parts, readable
from truerank.moments import Moments, edges_from
from truerank.provenance import PathLike

ROWS_PER_BLOCK = 1 << 19
SAMPLED = 256  # times of a block that tell where to cut those of all
ORDER = [("user", "ascending"), ("item", "ascending")]


class StoredRows:
    """The rows of ``interactions.parquet``, or of a table like it, sorted by user, then item. size : of blocks."""

    def __init__(self, path: PathLike, size: int | None = None) -> None:
        self.path, self.size = path, size or ROWS_PER_BLOCK

    def blocks(self) -> Iterator[pa.Table]:
        """Yield the rows of some users at a time, all of a user's together."""
        if not self.is_sorted:
            yield self.whole()
            return
        kept: pa.Table | None = None
        for part in self.parts():
            kept = part if kept is None else pa.concat_tables([kept, part])
            end = last_user_at(kept["user"].to_numpy())
            if end:
                yield kept.slice(0, end).combine_chunks()
                kept = kept.slice(end)
        if kept is not None:
            yield kept.combine_chunks()

    def parts(self, *columns: str) -> Iterator[pa.Table]:
        return read_parts([self.path], list(columns) or None, self.size)

    def whole(self) -> pa.Table:
        """Return all rows."""
        with readable(self.path):
            return pq.read_table(self.path).sort_by(ORDER)

    @cached_property
    def is_sorted(self) -> bool:
        """Whether the file has its rows in order, as a fetched dataset does."""
        last = -1
        for part in self.parts("user", "item"):
            user, item = (part[name].to_numpy() for name in ("user", "item"))
            pair = np.append(last, user.astype(np.int64) << 32 | item)
            if (np.diff(pair) < 0).any():
                return False
            last = pair[-1]
        return True

    def times(self) -> Iterator[np.ndarray]:
        """Yield the times that are known, some at a time."""
        return (part["timestamp"].drop_null().to_numpy() for part in self.parts("timestamp"))

    @cached_property
    def edges(self) -> np.ndarray:
        """Where to cut times so that parts of them fit into memory."""
        samples = [(own[:: 1 + len(own) // SAMPLED], len(own)) for own in self.times()]
        return edges_from([some for some, _ in samples], sum(n for _, n in samples))

    @cached_property
    def moments(self) -> Moments:
        """The times that are known."""
        found = Moments(self.edges)
        for own in self.times():
            found.add(own)
        return found


def last_user_at(user: np.ndarray) -> int:
    """Return where the rows of the last user begin."""
    return int(np.searchsorted(user, user[-1])) if len(user) else 0
