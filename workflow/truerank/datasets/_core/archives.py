"""Find a public archive: in a folder of the user's, extracted or not, in the cache, or on the net."""

import hashlib
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from truerank.datasets._core.unpacked import Archive, others, places, present, spellings
from truerank.errors import UserError
from truerank.provenance import sha256

FOLDER = "TRUERANK_DATA"


@dataclass(frozen=True)
class Found:
    """An archive, or the same files in a folder."""

    path: Path
    inside: str
    checksum: str | None = None

    def locate(self, name: str) -> tuple[Path, str | None]:
        """The path of a file of the archive and its name within, None in a folder or if the file is the archive."""
        if self.path.is_dir():
            return present(self.path, name) or self.path / name, None
        return self.path, None if self.path.name in spellings(name) else f"{self.inside}/{name}".removeprefix("/")

    def lacks(self, *names: str) -> list[str]:
        """The files that a folder does not have; an archive has all."""
        return [name for name in names if self.path.is_dir() and not present(self.path, name)]

    @property
    def notes(self) -> dict[str, str]:
        """What the summary says of the archive; that of an extracted folder has no checksum."""
        return {"origin": self.path.name} | ({"archive_checksum": self.checksum} if self.checksum else {})


def without(absent: Sequence[str]) -> dict[str, str]:
    """What the summary says of tables of attributes that a folder lacks, and the log with it; nothing if it has all."""
    if not absent:
        return {}
    logging.info("%s: not there, so the attributes of users and items are not known", ", ".join(absent))
    return {"attributes_absent": ", ".join(absent)}


def find(*archives: Archive, marker: str | Sequence[str]) -> Found:
    """Return the first archive to be had: the user's, then cached ones, then downloads.

    marker : a file that an extracted archive holds, or several of which it holds one, plain or gzipped; a folder with
        such a file in the user's folder serves too.
    """
    found, tried = given(archives, (marker,) if isinstance(marker, str) else marker)
    if found is None:
        cache = cache_folder()
        cached = [archive for archive in archives if is_sound(cache / archive.file, archive)]
        archive = cached[0] if cached else download(archives, cache, tried)
        found = of_file(cache / archive.file, archive)
    logging.info("reading %s", found.path)
    return found


def of_file(path: Path, archive: Archive) -> Found:
    return Found(path, archive.inside, archive.checksum or f"sha256:{sha256(path)}")


def given(archives: Sequence[Archive], markers: Sequence[str]) -> tuple[Found | None, str | None]:
    """What the folder that $TRUERANK_DATA names holds, None if nothing, and what was looked for, in words.

    Looked for are folders with the extracted files, then the archive, then the file alone.
    """
    if not os.environ.get(FOLDER):
        return None, f"${FOLDER} is not set"
    folder = Path(os.environ[FOLDER])
    if not folder.is_dir():
        raise UserError(f"${FOLDER} is {folder}, which is not a folder; correct it or unset it")
    tried = []
    for place, archive, name in places(folder, archives, markers):
        path = present(place, name)
        if path == folder / archive.file:
            check(path, archive)
            return of_file(path, archive), None
        if path is not None:
            unchecked = replace(archive, checksum=None)  # which is of other bytes, if it is known
            return (Found(place, archive.inside) if archive.is_packed else of_file(path, unchecked)), None
        tried.append(str((place / name).relative_to(folder)))
    looked = f"${FOLDER}, {folder}, has none of {', '.join(dict.fromkeys(tried))}, plain or gzipped"
    return None, looked + others(folder, archives)


def download(archives: Sequence[Archive], cache: Path, tried: str | None) -> Archive:
    """Fetch the first archive that the net gives into the cache and return it."""
    reasons = []
    for archive in archives:
        if archive.fetch is None:
            reasons.append(f"{archive.file}: there is no address to download it from")
            continue
        try:
            archive.fetch(archive, cache)
            check(cache / archive.file, archive)
            if archive.checksum is None:
                record(cache / archive.file).write_text(sha256(cache / archive.file), encoding="ascii")
            return archive
        except (OSError, UserError) as failure:
            reasons.append(f"{archive.file}: {failure}")
            logging.info("could not download %s: %s", archive.file, failure)
    raise UserError(
        f"{archives[0].file} could not be downloaded ({'; '.join(reasons)}) and {tried}; download it yourself from "
        f"{archives[0].address}, put it in a folder and name that folder in the environment variable {FOLDER}"
    )


def cache_folder() -> Path:
    import pooch

    return Path(pooch.os_cache("truerank"))


def record(path: Path) -> Path:
    """Where the checksum of a first download is kept."""
    return path.with_name(f"{path.name}.sha256")


def is_sound(path: Path, archive: Archive) -> bool:
    """Tell whether a cached file is there, whole and the same as ever."""
    if archive.checksum is None:
        return path.is_file() and record(path).is_file() and record(path).read_text(encoding="ascii") == sha256(path)
    return digest(path, archive) == archive.checksum


def digest(path: Path, archive: Archive) -> str | None:
    """The file's checksum by the archive's algorithm; None if there is no file."""
    assert archive.checksum is not None
    algorithm = archive.checksum.partition(":")[0]
    if not path.is_file():
        return None
    with open(path, "rb") as handle:
        return f"{algorithm}:{hashlib.file_digest(handle, algorithm).hexdigest()}"


def check(path: Path, archive: Archive) -> None:
    """Refuse a file whose bytes are not the archive's, where these are known."""
    found = archive.checksum and digest(path, archive)
    if found != archive.checksum:
        raise UserError(
            f"{path}: found checksum {found}, expected {archive.checksum}; delete the file or download it again"
        )
