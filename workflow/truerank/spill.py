"""Rows in parts that follow from the rows alone; parts that would not fit into memory together are on disk."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

ROWS_PER_PART = 1 << 20
ROWS_AT_A_TIME = 1 << 18


class Spill:
    """Rows of one type in ``n`` numbered parts, of which one is read at a time; each keeps the order of its rows.

    A single part stays in memory. The others are files in a folder of their own, where temporary files are (the
    variable ``TMPDIR``); they go when nothing refers to them any more.
    """

    def __init__(self, n: int, dtype: np.dtype | type) -> None:
        self.dtype = np.dtype(dtype)
        self.sizes = np.zeros(n, np.int64)
        self.kept: list[np.ndarray] = []
        self.folder = tempfile.TemporaryDirectory(prefix="truerank-") if n > 1 else None

    def add(self, part: np.ndarray, rows: np.ndarray) -> None:
        """Add rows. part : the number of each one's part."""
        if self.folder is None:
            self.kept.append(np.asarray(rows, self.dtype))
            self.sizes += len(rows)
            return
        order = np.argsort(part, kind="stable")
        rows, ends = np.asarray(rows, self.dtype)[order], np.cumsum(np.bincount(part, minlength=len(self.sizes)))
        for number in np.flatnonzero(np.diff(ends, prepend=0)).tolist():
            own = rows[ends[number - 1] if number else 0 : ends[number]]
            with open(self.path(number), "ab") as handle:
                handle.write(own.tobytes())
            self.sizes[number] += len(own)

    def path(self, number: int) -> Path:
        assert self.folder is not None
        return Path(self.folder.name) / str(number)

    def pieces(self, number: int) -> Iterator[np.ndarray]:
        """Yield the rows of a part, some at a time."""
        if self.folder is None:
            yield from self.kept
        elif self.sizes[number]:
            with open(self.path(number), "rb") as handle:
                while data := handle.read(ROWS_AT_A_TIME * self.dtype.itemsize):
                    yield np.frombuffer(data, self.dtype)

    def read(self, number: int) -> np.ndarray:
        """Return all rows of a part."""
        return np.concatenate([np.empty(0, self.dtype), *self.pieces(number)])

    def drop(self, number: int) -> None:
        """Forget the rows of a part."""
        self.kept = []
        self.sizes[number] = 0
        if self.folder is not None:
            self.path(number).unlink(missing_ok=True)


def n_parts(n_rows: int) -> int:
    """Return into how many parts rows are cut."""
    return max(1, -(-n_rows // ROWS_PER_PART))
