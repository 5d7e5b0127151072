"""How much a file has to hold, where that is published: a file that was cut off or replaced is noticed."""

from collections.abc import Mapping
from pathlib import Path

from truerank.datasets._core.interactions import Interactions
from truerank.errors import UserError


def check_size(path: str | Path, found: Mapping[str, int], expected: Mapping[str, int]) -> None:
    """Refuse a file whose counts, name -> number, are not those that are published of it."""
    if found != expected:
        told = (", ".join(f"{count:,} {name}" for name, count in counts.items()) for counts in (found, expected))
        remedy = "remove it or fetch it again, or read a part with `source: file` or `files`"
        raise UserError("{}: found {}, expected {}; {}".format(path, *told, remedy))


def size(rows: Interactions) -> dict[str, int]:
    """The counts of rows that MovieLens publishes."""
    return {"users": len(rows.users["id"]), "items": len(rows.items["id"]), "ratings": len(rows)}
