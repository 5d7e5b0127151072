"""The bytes of a file, plain, gzipped or in a zip archive; nothing is extracted to disk."""

import gzip
import zipfile
import zlib
from pathlib import Path

from truerank.errors import UserError
from truerank.registry import unknown

AGAIN = "make or fetch the file again"
# Ratings shrink about tenfold when packed. A small file that fills the memory is a mistake or an attack.
MOST_GROWTH, ALWAYS_FINE = 200, 1 << 20


def content(path, member=None):
    """Return the uncompressed bytes of ``path`` and the name, without .gz, that tells their format.

    A zip archive (.zip, .whl) has one file in it, or ``member`` names one.
    """
    path = Path(path)
    try:
        if path.suffix.lower() in (".zip", ".whl"):
            return zip_member(path, member)
        if member is not None:
            raise UserError(f"{path} is not a .zip archive, so `member` has no meaning; leave it out")
        if path.suffix.lower() == ".gz":
            with gzip.open(path) as stream:
                limit = most_bytes(path)
                data = stream.read(limit + 1)
                if len(data) > limit:
                    raise too_large(path)
                return data, path.stem
        return path.read_bytes(), path.name
    except FileNotFoundError:
        raise UserError(f"{path} does not exist; correct the path, which starts in the work directory") from None
    except IsADirectoryError:
        raise UserError(f"{path} is a folder, expected a file; name the file in it") from None
    except EOFError:
        raise UserError(f"{path} is cut off: the gzip stream ends in the middle; {AGAIN}") from None
    except gzip.BadGzipFile as failure:
        raise UserError(f"{path} is named .gz but is not a sound gzip file ({failure}); {AGAIN} or rename it") from None
    except zipfile.BadZipFile as failure:
        raise UserError(f"{path} is not a sound zip archive ({failure}); {AGAIN} or rename it") from None
    except (zlib.error, RuntimeError, NotImplementedError) as failure:
        raise UserError(f"{path} cannot be decompressed ({failure}); {AGAIN}") from None
    except OSError as failure:
        raise UserError(
            f"{path} cannot be read ({failure.strerror}); mend that and run the same command again"
        ) from None


def zip_member(path, member):
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/") and not name.startswith("__MACOSX/")]
        if member is None and len(names) == 1:
            member = names[0]
        if member is None:
            raise UserError(
                f"{path} holds {len(names)} files ({few(names)}), expected one; set `member` to one of them"
            )
        if member not in names:
            raise UserError(f"{path}: {unknown('member', member, names[:20])}; correct `member`")
        if archive.getinfo(member).file_size > most_bytes(path):
            raise too_large(path)
        return archive.read(member), Path(member).name


def most_bytes(path):
    """How large a packed file may be when it is unpacked."""
    return max(MOST_GROWTH * path.stat().st_size, ALWAYS_FINE)


def too_large(path):
    return UserError(
        f"{path} would grow more than {MOST_GROWTH}-fold when unpacked, which ratings never do; "
        "unpack it yourself if it is sound"
    )


def few(names, most=5):
    return ", ".join(names[:most]) + (", .." if len(names) > most else "") or "none"
