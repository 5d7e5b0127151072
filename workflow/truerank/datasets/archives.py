"""Find a public archive: in a folder of the user's, in the cache, or on the net, always by its checksum."""

import hashlib
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from truerank.errors import UserError
from truerank.provenance import sha256

FOLDER = "TRUERANK_DATA"


@dataclass(frozen=True)
class Archive:
    """A file that can be fetched: a zip or tar archive, or the data itself.

    file : its name in the user's folder and in the cache
    inside : the folder in it that holds the data, and the name of that folder once it is extracted
    checksum : algorithm and digest, as in ``md5:0e33..``; None if none is known: that of the first download is
        then recorded beside it, and in the summary of the dataset
    address : where it is, or the page that leads to it if it has to be fetched by hand
    fetch : called with (archive, folder), puts the file there or raises OSError; None if it has to be fetched by hand
    mirrors : more addresses of the same file
    """

    file: str
    inside: str
    checksum: str | None
    address: str
    fetch: Callable | None = None
    mirrors: tuple = ()


@dataclass(frozen=True)
class Found:
    """An archive, or the same files in a folder."""

    path: Path
    inside: str
    checksum: str | None = None

    def locate(self, name):
        """The path of a file of the archive and its name within, None in a folder or if the file is the archive."""
        if self.path.is_dir():
            return self.path / name, None
        return self.path, None if self.path.name == name else f"{self.inside}/{name}".removeprefix("/")

    @property
    def notes(self):
        """What the summary says of the archive; that of an extracted folder has no checksum."""
        return {"origin": self.path.name} | ({"archive_checksum": self.checksum} if self.checksum else {})


def find(*archives, marker):
    """Return the first archive to be had: the user's, then cached ones, then downloads.

    marker : a file that an extracted archive holds; such a folder in the user's folder serves too.
    """
    found = given(archives, marker)
    if found is None:
        cache = cache_folder()
        cached = [archive for archive in archives if is_sound(cache / archive.file, archive)]
        archive = cached[0] if cached else download(archives, cache)
        found = of_file(cache / archive.file, archive)
    logging.info("reading %s", found.path)
    return found


def of_file(path, archive):
    return Found(path, archive.inside, archive.checksum or f"sha256:{sha256(path)}")


def given(archives, marker):
    """What the folder that $TRUERANK_DATA names holds; None if it is not set or holds nothing of it."""
    if not os.environ.get(FOLDER):
        return None
    folder = Path(os.environ[FOLDER])
    if not folder.is_dir():
        raise UserError(f"${FOLDER} is {folder}, which is not a folder; correct it or unset it")
    extracted = folder / archives[0].inside
    if archives[0].inside and (extracted / marker).is_file():
        return Found(extracted, archives[0].inside)
    for archive in archives:
        path = folder / archive.file
        if path.is_file():
            check(path, archive)
            return of_file(path, archive)
    return None


def download(archives, cache):
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
            logging.info("could not fetch %s: %s", archive.file, failure)
    raise UserError(
        f"{archives[0].file} could not be downloaded ({'; '.join(reasons)}); fetch it by hand, see "
        f"{archives[0].address}, put it in a folder and name that folder in the environment variable {FOLDER}"
    )


def cache_folder():
    import pooch

    return Path(pooch.os_cache("truerank"))


def record(path):
    """Where the checksum of a first download is kept."""
    return path.with_name(f"{path.name}.sha256")


def is_sound(path, archive):
    """Tell whether a cached file is there, whole and the same as ever."""
    if archive.checksum is None:
        return path.is_file() and record(path).is_file() and record(path).read_text(encoding="ascii") == sha256(path)
    return digest(path, archive) == archive.checksum


def digest(path, archive):
    """The file's checksum by the archive's algorithm; None if there is no file."""
    algorithm = archive.checksum.partition(":")[0]
    if not path.is_file():
        return None
    with open(path, "rb") as handle:
        return f"{algorithm}:{hashlib.file_digest(handle, algorithm).hexdigest()}"


def check(path, archive):
    """Refuse a file whose bytes are not the archive's, where these are known."""
    found = archive.checksum and digest(path, archive)
    if found != archive.checksum:
        raise UserError(
            f"{path}: found checksum {found}, expected {archive.checksum}; delete the file or fetch it again"
        )
