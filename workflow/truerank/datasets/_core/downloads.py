"""Two ways to fetch an archive: from its addresses, going on where a download broke off, and with pip."""

import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from truerank.datasets._core.archives import Archive, check

if TYPE_CHECKING:
    import requests

CONNECT_SECONDS, READ_SECONDS, INSTALL_SECONDS = 5, 60, 300
CHUNK, MEGABYTE = 1 << 18, 1e6
TELL_SECONDS = 5
BAR = 30


def from_address(archive: Archive, folder: Path) -> None:
    """Download an archive from its address or, if that fails, from a mirror; each once and with short time-outs."""
    import pooch

    folder.mkdir(parents=True, exist_ok=True)
    if archive.checksum is None:
        (folder / archive.file).unlink(missing_ok=True)  # pooch would take it for the right one
    reasons = []
    for address in (archive.address, *archive.mirrors):
        downloader = Resumed(folder / f"{archive.file}.part")
        try:
            pooch.retrieve(address, archive.checksum, archive.file, folder, downloader=downloader)
            return
        except ValueError as failure:
            reasons.append(f"the download from {address} has a wrong checksum ({type(failure).__name__})")
        except OSError as failure:
            reasons.append(f"{type(failure).__name__} from {address}")
        logging.info("%s", reasons[-1])
    raise OSError(", ".join(reasons))


class Resumed:
    """Download by HTTP into a file ``part``, and go on where an earlier download of the same file broke off.

    The server says by If-Range whether the file is still the same; if not, or if it cannot say, all comes anew.
    """

    def __init__(self, part: str | Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.part, self.mark = Path(part), Path(f"{part}.from")
        self.clock = clock

    def __call__(self, url: str, output_file: str | Path, pooch: object, check_only: bool = False) -> None:
        import requests

        headers = {"Accept-Encoding": "identity"} | self.range_of(url)
        with requests.get(url, headers=headers, stream=True, timeout=(CONNECT_SECONDS, READ_SECONDS)) as response:
            if response.status_code == requests.codes.requested_range_not_satisfiable and "Range" in headers:
                self.mark.unlink()  # there is nothing left to ask for, or another file: all of it, once more
                return self(url, output_file, pooch)
            response.raise_for_status()
            had = self.part.stat().st_size if response.status_code == requests.codes.partial_content else 0
            length = response.headers.get("Content-Length")
            total = had + int(length) if length else None
            self.mark.write_text(f"{url}\n{version(response)}", encoding="utf-8")
            with open(self.part, "ab" if had else "wb") as file:
                self.copy(response, file, had, total)
        if total is not None and self.part.stat().st_size != total:
            raise OSError("the download broke off")
        os.replace(self.part, output_file)
        self.mark.unlink()

    def range_of(self, url: str) -> dict[str, str]:
        """The headers that ask for the rest of an earlier download, if there is one that can go on."""
        if not (self.part.is_file() and self.mark.is_file()):
            return {}
        address, _, validator = self.mark.read_text(encoding="utf-8").partition("\n")
        start = self.part.stat().st_size
        return {"Range": f"bytes={start}-", "If-Range": validator} if address == url and validator and start else {}

    def copy(self, response: "requests.Response", file: BinaryIO, done: int, total: int | None) -> None:
        """Write what comes and log a bar of progress every few seconds."""
        last_shown = self.clock()
        for chunk in response.iter_content(CHUNK):
            file.write(chunk)
            done += len(chunk)
            if self.clock() - last_shown >= TELL_SECONDS or done == total:
                last_shown = self.clock()
                logging.info("%s %s", self.part.stem, bar(done, total))


def version(response: "requests.Response") -> str:
    """What tells this version of the file from others: a strong ETag or the date; empty if there is neither."""
    tag = response.headers.get("ETag", "")
    return tag if tag.startswith('"') else response.headers.get("Last-Modified", "")


def bar(done: int, total: int | None) -> str:
    """Text like ``[#####.....] 95 of 190 MB``; without a total, only what has come."""
    if not total:
        return f"{done / MEGABYTE:.1f} MB"
    full = BAR * done // total
    return f"[{'#' * full}{'.' * (BAR - full)}] {done / MEGABYTE:.1f} of {total / MEGABYTE:.1f} MB"


def from_package_index(archive: Archive, folder: Path) -> None:
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
