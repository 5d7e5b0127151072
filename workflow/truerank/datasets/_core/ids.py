"""Ids of users or items as Arrow has them, a few bytes each, for more of them than a list has room for."""

from collections.abc import Sequence
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from truerank.datasets._core.interactions import INTEGER

MERGED_FROM = 1 << 20  # ids that wait to be counted together
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
            return pc.index_in(texts.cast(TEXT), value_set=self.texts).fill_null(-1).to_numpy()
        wanted = texts.cast(pa.int64()).to_numpy()
        order = np.argsort(wanted)  # neighbours are found near each other, many times faster
        found = np.empty(len(wanted), np.int32)
        found[order] = np.searchsorted(self.numbers, wanted[order])
        return found

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
        self.ids, self.counts = [pa.array([], TEXT)], [np.empty(0, np.int64)]
        self.known = self.waiting = 0

    def add(self, coded: pa.DictionaryArray, kept: np.ndarray) -> None:
        """Count the ids of some rows, of those that are kept."""
        counts = np.bincount(coded.indices.to_numpy()[kept], minlength=len(coded.dictionary))
        self.ids.append(coded.dictionary.cast(TEXT))
        self.counts.append(counts)
        self.waiting += len(counts)
        if self.waiting > max(MERGED_FROM, self.known):
            self.merge()

    def merge(self) -> None:
        coded = pa.chunked_array(self.ids).combine_chunks().dictionary_encode()
        counts = np.bincount(coded.indices.to_numpy(), np.concatenate(self.counts), len(coded.dictionary))
        self.ids, self.counts = [coded.dictionary], [counts.astype(np.int64)]
        self.known, self.waiting = len(counts), 0

    def sorted(self) -> tuple[Ids, np.ndarray]:
        """Return all ids that have a row, in their order, and how many each has."""
        self.merge()
        (found,), (counts,) = self.ids, self.counts
        used = np.flatnonzero(counts)
        ids = Ids(found.take(pa.array(used)))
        order = ids.order
        return ids.take(order), counts[used[order]]
