"""Where a folder may hold the files of a public archive, extracted or not, plain or gzipped."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from truerank.datasets._core.reading.content import few

PACKED = (".zip", ".whl", ".tar.gz")
COMMON = ("ratings.csv",)  # a name that several datasets use: alone it does not tell which


@dataclass(frozen=True)
class Archive:
    """A file that can be fetched: a zip or tar archive, or the data itself.

    file : its name in the user's folder and in the cache
    inside : the folder in it that holds the data, and the name of that folder once it is extracted; of a file that is
        the data itself, the usual name of a folder for it
    checksum : algorithm and digest, as in ``md5:0e33..``; None if none is known: that of the first download is
        then recorded beside it, and in the summary of the dataset
    address : where it is, or the page that leads to it if you must download it yourself
    fetch : called with (archive, folder), puts the file there or raises OSError; None if you must download it yourself
    mirrors : more addresses of the same file
    folder : another usual name of the folder with the extracted files
    """

    file: str
    inside: str
    checksum: str | None
    address: str
    fetch: Callable[["Archive", Path], None] | None = None
    mirrors: tuple[str, ...] = ()
    folder: str = ""

    @property
    def folders(self) -> tuple[str, ...]:
        """The names that a folder with the data may have."""
        stem = self.file.removesuffix(".zip").removesuffix(".tar.gz") if self.is_packed else ""
        return tuple(dict.fromkeys(name for name in (self.inside, self.folder, stem) if name))

    @property
    def is_packed(self) -> bool:
        return self.file.endswith(PACKED)


def others(folder: Path, archives: Sequence[Archive]) -> str:
    """What folders of the data hold instead, in words; nothing if there are none."""
    names = dict.fromkeys(name for archive in archives for name in archive.folders)
    held = {name: sorted(path.name for path in (folder / name).iterdir()) for name in names if (folder / name).is_dir()}
    return "".join(f" (its {name} has {few(files)}, see `source: file` and `files`)" for name, files in held.items())


def places(folder: Path, archives: Sequence[Archive], markers: Sequence[str]) -> Iterator[tuple[Path, Archive, str]]:
    """Yield, in this order, the folder to look in, the archive that would be there and the name to look for."""
    wanted = [(archive, name) for archive in archives for name in (markers if archive.is_packed else [archive.file])]
    for archive, name in wanted:
        yield from ((folder / own, archive, name) for own in archive.folders)
    for archive, name in [*((archive, archive.file) for archive in archives), *wanted]:
        if name not in COMMON or folder.resolve().name in archive.folders:
            yield folder, archive, name


def present(folder: Path, name: str) -> Path | None:
    """The path of a file in a folder, whether it is gzipped or not; None if it is not there."""
    return next((folder / each for each in spellings(name) if (folder / each).is_file()), None)


def spellings(name: str) -> tuple[str, ...]:
    """The names of a file, as it is called and otherwise with or without .gz; an archive has one."""
    if name.endswith(PACKED):
        return (name,)
    return name, name.removesuffix(".gz") if name.endswith(".gz") else f"{name}.gz"
