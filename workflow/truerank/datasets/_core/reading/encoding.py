"""The encoding of text: what a file is in, and its bytes as UTF-8."""

import codecs
from pathlib import Path

from truerank.errors import UserError

UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
CHUNK = 1 << 20


def recoded(path: str | Path, data: bytes, encoding: str) -> tuple[bytes, str]:
    """Bytes as UTF-8 and the name of their encoding; mistakes in what is UTF-8 are found when it is read."""
    if encoding == "auto":
        encoding = encoding_of(data)
    try:
        name = codecs.lookup(encoding).name
        return data if name == "utf-8" else data.decode(encoding).encode(), encoding
    except LookupError:
        raise UserError(f"{path}: found `encoding: {encoding}`, expected a name such as utf-8 or latin-1") from None
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        raise not_decoded(path, line, data[failure.start], encoding) from None


def encoding_of(data: bytes) -> str:
    """The encoding that bytes are in: UTF-16 by its byte order mark, UTF-8 if they are that, else latin-1.

    Where more characters are sound UTF-8 than broken, it is UTF-8 that was damaged, not latin-1.
    """
    if data.startswith(UTF16):
        return "utf-16"
    if data.isascii() or is_utf8(data):
        return "utf-8"
    text = data.decode(errors="replace")
    broken = text.count("\ufffd")
    ascii_only = len(data.translate(None, bytes(range(128, 256))))
    return "utf-8" if len(text) - ascii_only - broken > broken else "latin-1"


def is_utf8(data: bytes) -> bool:
    """Tell whether bytes are UTF-8, a piece at a time: as text they may take four times the memory."""
    decode = codecs.getincrementaldecoder("utf-8")().decode
    try:
        for start in range(0, len(data), CHUNK):
            decode(data[start : start + CHUNK])
        decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def not_decoded(path: str | Path, line: int, byte: int, encoding: str) -> UserError:
    return UserError(
        f"{path}, line {line}: found the byte 0x{byte:02x}, which is not {encoding} text; "
        "set `encoding` to the file's own, often latin-1"
    )
