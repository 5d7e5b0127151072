"""Read tables of interactions from files and say exactly where one is wrong.

This module is light; the others of this package import pyarrow and are imported where a file is read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

SUFFIXES = (".parquet", ".pq")
ROLES = ("user", "item", "rating", "timestamp")
COLUMN = {"anyOf": [{"type": "string", "minLength": 1}, {"type": "integer", "minimum": 0}]}

Columns = Annotated[
    dict,
    {
        "properties": dict.fromkeys(ROLES, COLUMN),
        "required": ["user", "item"],
        "additionalProperties": False,
    },
]
Format = Literal["auto", "csv", "tsv", "semicolon", "pipe", "double_colon", "parquet", "qrels", "json"]
TimeUnit = Literal["auto", "s", "ms", "us", "ns"]
Scale = Annotated[list[float], {"minItems": 2, "maxItems": 2}]
Text = Annotated[str, {"minLength": 1}]
Number = Annotated[float, {}]


@dataclass(frozen=True)
class Layout:
    """How a file is laid out.

    columns : role -> name of the column, or its number from 0 where the file has no header; None where they are known
    encoding : its name, or ``auto``: UTF-8 where the bytes are that, else latin-1
    scale : None, or the lowest and highest possible rating
    missing_rating : None, or the rating that says that there is none; such rows are left out
    timestamp_unit : of numbers, or ``auto``: as their size tells
    """

    columns: Mapping[str, str | int] | None
    format: str = "auto"
    header: bool = True
    encoding: str = "auto"
    scale: tuple[float, float] | None = None
    missing_rating: float | None = None
    timestamp_unit: str = "auto"


def parquet_files(folder: str | Path) -> list[Path]:
    """Return the Parquet files of a folder and of those in it, by name, without hidden ones."""
    found = [path for path in Path(folder).rglob("*") if path.suffix.lower() in SUFFIXES]
    return sorted(path for path in found if not path.name.startswith((".", "_")))
