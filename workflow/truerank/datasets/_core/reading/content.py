"""The bytes of a file, plain, gzipped or in a zip or tar archive; nothing is extracted to disk."""

import contextlib
import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from truerank.errors import UserError
from truerank.registry import unknown

AGAIN = "create or download the file again"
ZIPPED, TARRED = (".zip", ".whl"), (".tar", ".tar.gz", ".tgz")
MOST_BYTES, MOST_RATIO, HARMLESS = 64 << 30, 250, 64 << 20  # unpacked, per packed byte, and never too many


def content(path: str | Path, member: str | Sequence[str] | None = None) -> tuple[bytes, str]:
    """Return the uncompressed bytes of ``path`` and the name, without .gz, that tells their format; see ``opened``."""
    with opened(path, member) as (stream, name):
        return stream.read(), name


@contextlib.contextmanager
def opened(path: str | Path, member: str | Sequence[str] | None = None) -> Iterator[tuple[IO[bytes], str]]:
    """Give a stream of the uncompressed bytes of ``path`` and the name, without .gz, that tells their format.

    An archive (.zip, .whl, .tar, .tar.gz) has one file in it, or ``member`` names one; of several names the first that
    is found serves. Members are read by name, links never, and nothing is written, so a name cannot lead out of a
    folder. A file that unpacks to more than 64 GB, or to more than 64 MB and 250 times its size, is refused.
    """
    path = Path(path)
    name = path.name.lower()
    members = (member,) if isinstance(member, str) else member
    try:
        if name.endswith(ZIPPED):
            with zip_member(path, members) as found:
                yield found
        elif name.endswith(TARRED):
            with tar_member(path, members) as found:
                yield found
        elif members is not None:
            raise UserError(f"{path} is not a .zip archive, nor a .tar, so `member` has no meaning; leave it out")
        elif name.endswith(".gz"):
            with gzip.open(path) as stream:
                yield guarded(stream, path, path.stat().st_size), path.stem
        else:
            with open(path, "rb") as stream:
                yield stream, path.name
    except FileNotFoundError:
        raise UserError(f"{path} does not exist; correct the path, which starts in the work directory") from None
    except IsADirectoryError:
        raise UserError(f"{path} is a folder, expected a file; name the file in it") from None
    except EOFError:
        raise UserError(f"{path} is cut off: the gzip stream ends in the middle; {AGAIN}") from None
    except gzip.BadGzipFile as failure:
        raise UserError(f"{path} is named .gz but is not a valid gzip file ({failure}); {AGAIN} or rename it") from None
    except zipfile.BadZipFile as failure:
        raise UserError(f"{path} is not a valid zip archive ({failure}); {AGAIN} or rename it") from None
    except tarfile.TarError as failure:
        raise UserError(f"{path} is not a valid tar archive ({failure}); {AGAIN} or rename it") from None
    except (zlib.error, RuntimeError, NotImplementedError) as failure:
        raise UserError(f"{path} cannot be decompressed ({failure}); {AGAIN}") from None
    except OSError as failure:
        raise UserError(
            f"{path} cannot be read ({failure.strerror}); fix that and run the same command again"
        ) from None


@contextlib.contextmanager
def zip_member(path: Path, members: Sequence[str] | None) -> Iterator[tuple[IO[bytes], str]]:
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/") and not name.startswith("__MACOSX/")]
        if members is None:
            check_only(path, names)
        member = next((name for name in members or names if name in names), None)
        if member is None:
            raise absent(path, members, names)
        with archive.open(member) as stream:
            yield guarded(stream, path, archive.getinfo(member).compress_size), Path(member).name


@contextlib.contextmanager
def tar_member(path: Path, members: Sequence[str] | None) -> Iterator[tuple[IO[bytes], str]]:
    """Find a file in one pass, so that the guard counts whatever is passed over; which is the only one, in another."""
    if members is None:
        with tar_entries(path) as entries:
            members = [name for name, _, _ in entries]
        check_only(path, members)
    names = []
    with tar_entries(path) as entries:
        for name, entry, archive in entries:
            if name in members:
                with archive.extractfile(entry) as stream:  # type: ignore[union-attr]  # a regular file
                    yield stream, Path(name).name
                return
            names.append(name)
    raise absent(path, members, names)


@contextlib.contextmanager
def tar_entries(path: Path) -> Iterator[Iterator[tuple[str, tarfile.TarInfo, tarfile.TarFile]]]:
    """Give the name, entry and archive of every file in a tar, from front to back; not of what macOS adds to each."""
    with contextlib.ExitStack() as stack:
        packed = stack.enter_context(open(path, "rb"))
        plain = packed if path.suffix.lower() == ".tar" else stack.enter_context(gzip.GzipFile(fileobj=packed))
        archive = stack.enter_context(
            tarfile.TarFile.open(fileobj=guarded(plain, path, path.stat().st_size), mode="r|")
        )
        files = (entry for entry in archive if entry.isreg() and not Path(entry.name).name.startswith("._"))
        yield ((entry.name.removeprefix("./"), entry, archive) for entry in files)


def check_only(path: Path, names: Sequence[str]) -> None:
    if len(names) > 1:
        raise UserError(f"{path} holds {len(names)} files ({few(names)}), expected one; set `member` to one of them")


def guarded(stream: IO[bytes] | gzip.GzipFile, path: Path, packed: int) -> io.BufferedReader:
    """A buffered stream that refuses to give more than a sound file of ``packed`` bytes could hold."""
    return io.BufferedReader(Guard(stream, path, packed), 1 << 20)


class Guard(io.RawIOBase):
    """Count what is read and stop at the limit."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile, path: Path, packed: int) -> None:
        self.stream = stream
        self.path = path
        self.most = min(MOST_BYTES, max(HARMLESS, MOST_RATIO * packed))
        self.seen = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # what io gives
        data = self.stream.read(len(buffer))
        self.seen += len(data)
        if self.seen > self.most:
            raise UserError(
                f"{self.path} unpacks to more than {self.most:,} bytes, which no valid file of its size does; "
                "if you trust it, unpack it yourself and name the unpacked file"
            )
        buffer[: len(data)] = data
        return len(data)


def absent(path: Path, members: Sequence[str] | None, names: Sequence[str]) -> UserError:
    return UserError(f"{path}: {unknown('member', members[0] if members else '', names[:20])}; correct `member`")


def few(names: Sequence[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (", .." if len(names) > most else "") or "none"
