"""Read tables of interactions from files and say exactly where one is wrong.

This module is light; the others of this package import pyarrow and are imported where a file is read.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

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
Format = Literal["auto", "csv", "tsv", "double_colon", "parquet", "qrels", "json"]
Scale = Annotated[list[float], {"minItems": 2, "maxItems": 2}]
Text = Annotated[str, {"minLength": 1}]
Number = Annotated[float, {}]


@dataclass(frozen=True)
class Layout:
    """How a file is laid out.

    columns : role -> name of the column, or its number from 0 where the file has no header; None where they are known
    scale : None, or the lowest and highest possible rating
    """

    columns: dict | None
    format: str = "auto"
    header: bool = True
    encoding: str = "utf-8"
    scale: tuple | None = None
