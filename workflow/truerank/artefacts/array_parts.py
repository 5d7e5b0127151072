"""Arrays whose last axis comes in parts, as npz: few parts are in memory at a time, and the bytes are those of one."""

import tempfile
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from truerank.artefacts.files import readable
from truerank.provenance import PathLike, whole

IN_MEMORY = 1 << 24  # bytes of an array that do not wait on disk
Arrays = Mapping[str, np.ndarray]


class _Parts:
    """Parts of one array, one behind the other as they came, until all are there."""

    def __init__(self, file: IO[bytes], like: np.ndarray) -> None:
        self.file, self.dtype, self.lead = file, like.dtype, like.shape[:-1]
        self.lengths: list[int] = []

    def add(self, part: np.ndarray) -> None:
        self.file.write(np.ascontiguousarray(part, self.dtype).tobytes())
        self.lengths.append(part.shape[-1])

    def write(self, target: IO[bytes]) -> None:
        """Write the whole array as npy."""
        shape = (*self.lead, sum(self.lengths))
        about = {"descr": npy.dtype_to_descr(self.dtype), "fortran_order": False, "shape": shape}
        npy.write_array_header_1_0(target, about)
        n_rows, size = int(np.prod(self.lead)), self.dtype.itemsize
        starts = np.append(0, np.cumsum(self.lengths)) * n_rows * size
        for row in range(n_rows):
            for start, length in zip(starts.tolist(), self.lengths, strict=False):
                self.file.seek(start + row * length * size)
                target.write(self.file.read(length * size))


def write_array_parts(path: PathLike, parts: Iterable[Arrays], growing: Collection[str]) -> None:
    """Write arrays as ``write_arrays`` would write all parts joined along the last axis.

    growing : names of those that come in parts, if they have an axis; all others are those of the first part.
    """
    with ExitStack() as stack:
        held: dict[str, Any] = {}
        for part in parts:
            for name, array in part.items():
                if name not in growing or not np.ndim(array):
                    held.setdefault(name, array)
                    continue
                if name not in held:
                    held[name] = _Parts(stack.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY)), array)
                held[name].add(array)
        temporary = stack.enter_context(whole(path))
        archive = stack.enter_context(zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED))
        for name, array in held.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as target:
                if isinstance(array, _Parts):
                    array.write(target)
                else:
                    npy.write_array(target, np.asanyarray(array), allow_pickle=False)


class StoredArrays:
    """The arrays of an npz file that is not compressed, of which a part is read at a time."""

    def __init__(self, path: PathLike) -> None:
        self.path = path
        self.places: dict[str, tuple[int, np.dtype, tuple[int, ...]]] = {}
        with readable(path), zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                with archive.open(member) as source:
                    npy.read_magic(source)
                    shape, _, dtype = npy.read_array_header_1_0(source)
                    header = source.tell()
                with open(path, "rb") as file:
                    file.seek(member.header_offset + 26)
                    named, extra = np.frombuffer(file.read(4), "<u2").tolist()
                start = member.header_offset + 30 + named + extra + header
                self.places[member.filename.removesuffix(".npy")] = start, dtype, shape

    def __contains__(self, name: str) -> bool:
        return name in self.places

    def shape(self, name: str) -> tuple[int, ...]:
        return self.places[name][2]

    def part(self, name: str, rows: slice) -> np.ndarray:
        """Return some places of the last axis. rows : from start to stop."""
        start, dtype, (*lead, n) = self.places[name]
        found = np.empty((int(np.prod(lead)), rows.stop - rows.start), dtype)
        with readable(self.path), open(self.path, "rb") as file:
            for row, own in enumerate(found):
                file.seek(start + (row * n + rows.start) * dtype.itemsize)
                if file.readinto(memoryview(own).cast("B")) < own.nbytes:
                    raise EOFError(f"{self.path} ends within {name}")
        return found.reshape(*lead, -1)

    def parts(self, growing: Collection[str], size: int, without: str = "") -> Iterator[dict[str, np.ndarray]]:
        """Yield all arrays but one, of those named ``growing`` that have an axis ``size`` places at a time."""
        names = [name for name in self.places if name != without]
        cut = [name for name in names if name in growing and self.shape(name)]
        with readable(self.path), np.load(self.path, allow_pickle=False) as arrays:
            fixed = {name: arrays[name] for name in names if name not in cut}
        n = self.shape(cut[0])[-1] if cut else 0
        for start in range(0, n, size):
            rows = slice(start, min(start + size, n))
            yield {name: fixed[name] if name in fixed else self.part(name, rows) for name in names}
