"""Arrays that come in parts along an axis, as npz: few parts are in memory at a time, with the bytes of one."""

import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
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

    def __init__(self, file: IO[bytes], like: np.ndarray, axis: int) -> None:
        self.file, self.dtype, self.axis = file, like.dtype, axis
        self.lead, _, self.behind = around(like.shape, axis)
        self.lengths: list[int] = []

    def add(self, part: np.ndarray) -> None:
        self.file.write(np.ascontiguousarray(part, self.dtype).tobytes())
        self.lengths.append(part.shape[self.axis])

    def write(self, target: IO[bytes]) -> None:
        """Write the whole array as npy."""
        shape = (*self.lead, sum(self.lengths), *self.behind)
        about = {"descr": npy.dtype_to_descr(self.dtype), "fortran_order": False, "shape": shape}
        npy.write_array_header_1_0(target, about)
        n_rows, size = int(np.prod(self.lead)), self.dtype.itemsize * int(np.prod(self.behind))
        starts = np.append(0, np.cumsum(self.lengths)) * n_rows * size
        for row in range(n_rows):
            for start, length in zip(starts.tolist(), self.lengths, strict=False):
                self.file.seek(start + row * length * size)
                target.write(self.file.read(length * size))


def around(shape: tuple[int, ...], axis: int) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    """Return the axes before one, its length, and the axes behind it. axis : counted from the last, which is -1."""
    place = len(shape) + axis
    return shape[:place], shape[place], shape[place + 1 :]


def write_array_parts(path: PathLike, parts: Iterable[Arrays], growing: Mapping[str, int]) -> None:
    """Write arrays as ``write_arrays`` would write all parts joined.

    growing : names of those that come in parts, if they have an axis, and which, -1 for the last. All others are those
    of the last part, which may have added them up.
    """
    with ExitStack() as stack:
        held: dict[str, Any] = {}
        for part in parts:
            for name, array in part.items():
                if name not in growing or not np.ndim(array):
                    held[name] = array
                    continue
                if name not in held:
                    file = stack.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY))
                    held[name] = _Parts(file, array, growing[name])
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
    """The arrays of an npz file that is not compressed, of which a part is read at a time.

    growing : as ``write_array_parts`` has it.
    """

    def __init__(self, path: PathLike, growing: Mapping[str, int]) -> None:
        self.path, self.growing = path, growing
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

    def length(self, name: str) -> int:
        """Return the length of the axis that grows."""
        return self.shape(name)[self.growing[name]]

    def part(self, name: str, rows: slice, at: Sequence[int] = ()) -> np.ndarray:
        """Return some places of the axis that grows. rows : from start to stop. at : indices of the axes before it,
        all of them or none."""
        start, dtype, shape = self.places[name]
        lead, n, behind = around(shape, self.growing[name])
        chosen = [int(np.ravel_multi_index(at, lead))] if at else range(int(np.prod(lead)))
        found = np.empty((len(chosen), rows.stop - rows.start, *behind), dtype)
        size = dtype.itemsize * int(np.prod(behind))
        with readable(self.path), open(self.path, "rb") as file:
            for row, own in zip(chosen, found, strict=True):
                file.seek(start + (row * n + rows.start) * size)
                if own.size and file.readinto(memoryview(own).cast("B")) < own.nbytes:
                    raise EOFError(f"{self.path} ends within {name}")
        return found[0] if at else found.reshape(*lead, *found.shape[1:])

    @property
    def fixed(self) -> dict[str, np.ndarray]:
        """The arrays that do not grow."""
        with readable(self.path), np.load(self.path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in self.places if name not in self.growing or not self.shape(name)}

    def parts(self, size: int, without: str = "") -> Iterator[dict[str, np.ndarray]]:
        """Yield all arrays but one, those that grow ``size`` places at a time."""
        fixed = self.fixed
        names = [name for name in self.places if name != without]
        cut = [name for name in names if name not in fixed]
        n = self.length(cut[0]) if cut else 0
        for start in range(0, n, size):
            rows = slice(start, min(start + size, n))
            yield {name: fixed[name] if name in fixed else self.part(name, rows) for name in names}
