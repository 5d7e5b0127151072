"""Ids of users or items as Arrow has them, a few bytes each, for more of them than a list has room for."""

from collections.abc import Sequence
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from truerank.datasets._core.interactions import INTEGER

MERGED_FROM = 1 << 22  # ids that wait to be counted together
TEXT = pa.large_string()


class Ids(Sequence[str]):
    """Different ids in their order: as numbers if every one is an integer in its usual spelling, else as text."""

    def __init__(self, ids: pa.Array) -> None:
        self.texts, self.numbers = ids, None
        if pc.all(pc.match_substring_regex(ids, f"^({INTEGER.pattern})$")).as_py():
            self.numbers = ids.cast(pa.int64()).to_numpy()

    @property
    def order(self) -> np.ndarray:
        """Places that sort the ids."""
        return np.asarray(pc.sort_indices(self.texts)) if self.numbers is None else np.argsort(self.numbers)

    def take(self, places: np.ndarray) -> "Ids":
        return Ids(self.texts.take(pa.array(places)))

    def codes(self, texts: pa.Array) -> np.ndarray:
        """Return the places of texts that are among these, which are in order."""
        if self.numbers is None:
            return pc.index_in(texts, value_set=self.texts).to_numpy()
        return np.searchsorted(self.numbers, texts.cast(pa.int64()).to_numpy()).astype(np.int32)

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        return self.texts[place].to_pylist() if isinstance(place, slice) else self.texts[int(place)].as_py()

    def as_column(self) -> pa.ChunkedArray:
        """Return a column for a table."""
        step = MERGED_FROM
        chunks = [self.texts.slice(start, step).cast(pa.string()) for start in range(0, len(self), step)]
        return pa.chunked_array(chunks, pa.string())


class IdCounts:
    """How many rows each id has, which is told some rows at a time."""

    def __init__(self) -> None:
        self.found, self.waiting = pa.table({"id": pa.array([], TEXT), "n": pa.array([], pa.int64())}), 0

    def add(self, ids: pa.Array) -> None:
        """Count the ids of some rows."""
        counts = ids.value_counts()
        own = pa.table({"id": counts.field("values").cast(TEXT), "n": counts.field("counts")})
        self.found, self.waiting = pa.concat_tables([self.found, own]), self.waiting + len(own)
        if self.waiting > max(MERGED_FROM, self.found.num_rows // 2):
            self.merge()

    def merge(self) -> None:
        counted = self.found.group_by("id").aggregate([("n", "sum")])
        self.found = pa.table({"id": counted["id"], "n": counted["n_sum"]})
        self.waiting = 0

    def sorted(self) -> tuple[Ids, np.ndarray]:
        """Return all ids in their order, and how many rows each has."""
        self.merge()
        ids = Ids(self.found["id"].combine_chunks())
        order = ids.order
        return ids.take(order), self.found["n"].to_numpy()[order]
