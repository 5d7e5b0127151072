"""Find a public archive: in a folder of the user's, in the cache, or on the net, always by its checksum."""

import hashlib
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from truerank.errors import UserError

FOLDER = "TRUERANK_DATA"
CONNECT_SECONDS, READ_SECONDS, INSTALL_SECONDS = 5, 60, 300


@dataclass(frozen=True)
class Archive:
    """A zip archive that can be fetched.

    file : its name in the user's folder and in the cache
    inside : the folder in it that holds the data
    checksum : algorithm and digest, as in ``md5:0e33..``
    fetch : called with (archive, folder), puts the file there or raises OSError
    """

    file: str
    inside: str
    checksum: str
    address: str
    fetch: Callable


@dataclass(frozen=True)
class Found:
    """An archive, or the same files in a folder."""

    path: Path
    inside: str

    def locate(self, name):
        """The path of a file of the archive and its name within, None in a folder."""
        return (self.path / name, None) if self.path.is_dir() else (self.path, f"{self.inside}/{name}")


def find(*archives, marker):
    """Return the first archive to be had: the user's, then cached ones, then downloads.

    marker : a file that an extracted archive holds; such a folder in the user's folder serves too.
    """
    found = given(archives, marker)
    if found is None:
        cache = cache_folder()
        cached = [archive for archive in archives if digest(cache / archive.file, archive) == archive.checksum]
        archive = cached[0] if cached else download(archives, cache)
        found = Found(cache / archive.file, archive.inside)
    logging.info("reading %s", found.path)
    return found


def given(archives, marker):
    """What the folder that $TRUERANK_DATA names holds; None if it is not set or holds nothing of it."""
    if not os.environ.get(FOLDER):
        return None
    folder = Path(os.environ[FOLDER])
    if not folder.is_dir():
        raise UserError(f"${FOLDER} is {folder}, which is not a folder; correct it or unset it")
    extracted = folder / archives[0].inside
    if (extracted / marker).is_file():
        return Found(extracted, archives[0].inside)
    for archive in archives:
        path = folder / archive.file
        if path.is_file():
            check(path, archive)
            return Found(path, archive.inside)
    return None


def download(archives, cache):
    """Fetch the first archive that the net gives into the cache and return it."""
    reasons = []
    for archive in archives:
        try:
            archive.fetch(archive, cache)
            check(cache / archive.file, archive)
            return archive
        except (OSError, UserError) as failure:
            reasons.append(f"{archive.file}: {failure}")
            logging.info("could not fetch %s: %s", archive.file, failure)
    raise UserError(
        f"{archives[0].file} could not be downloaded ({'; '.join(reasons)}); fetch {archives[0].address} "
        f"by hand, put it in a folder and name that folder in the environment variable {FOLDER}"
    )


def from_address(archive, folder):
    """Download an archive from its address, once and with short time-outs."""
    import pooch

    downloader = pooch.HTTPDownloader(timeout=(CONNECT_SECONDS, READ_SECONDS))
    try:
        pooch.retrieve(archive.address, archive.checksum, archive.file, folder, downloader=downloader)
    except ValueError as failure:
        raise OSError(f"the download has a wrong checksum ({type(failure).__name__})") from failure
    except OSError as failure:
        raise OSError(f"{type(failure).__name__} from {archive.address}") from failure


def from_package_index(archive, folder):
    """Download a wheel with pip, without installing it; the address is the requirement."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--retries", "1", "--dest", temporary, archive.address]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=INSTALL_SECONDS)
            check(Path(temporary) / archive.file, archive)
            os.replace(Path(temporary) / archive.file, folder / archive.file)
        except subprocess.SubprocessError as failure:
            logging.info("%s", getattr(failure, "stderr", ""))
            raise OSError(f"pip could not download {archive.address}") from failure


def cache_folder():
    import pooch

    return Path(pooch.os_cache("truerank"))


def digest(path, archive):
    """The file's checksum by the archive's algorithm; None if there is no file."""
    algorithm = archive.checksum.partition(":")[0]
    if not path.is_file():
        return None
    with open(path, "rb") as handle:
        return f"{algorithm}:{hashlib.file_digest(handle, algorithm).hexdigest()}"


def check(path, archive):
    """Refuse a file whose bytes are not the archive's."""
    found = digest(path, archive)
    if found != archive.checksum:
        raise UserError(
            f"{path}: found checksum {found}, expected {archive.checksum}; delete the file or fetch it again"
        )
