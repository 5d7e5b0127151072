"""Tables that sort in the browser and can be taken away as CSV and LaTeX."""

import base64
import gzip
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import pandas as pd
from markupsafe import Markup

from truerank.report.block import Block, render
from truerank.report.latex import latex_table
from truerank.report.metric_names import with_tooltip

MISSING = "\N{EN DASH}"


@dataclass(frozen=True)
class Column:
    """How one column is shown; ``low`` and ``high`` name the columns of its interval, ``link`` of its address."""

    key: str
    label: str | None = None
    digits: int | None = None
    low: str | None = None
    high: str | None = None
    link: str | None = None


class Table(Block):
    """A frame with a caption. The files hold every column in full, the page those of ``columns``, rounded.

    On a page it opens on demand, unless ``folds`` is false.
    """

    def __init__(
        self,
        name: str,
        frame: pd.DataFrame,
        caption: str,
        columns: Sequence[Column] | None = None,
        order: tuple[str, str] | None = None,
        sortable: bool = True,
        folds: bool = True,
    ) -> None:
        self.name = name
        self.frame = frame
        self.caption = caption
        self.columns = columns or [Column(key) for key in frame.columns]
        self.order = order or (None, None)
        self.sortable = sortable
        self.folds = folds

    @property
    def html(self) -> Markup:
        columns = [(column, self.is_number(column)) for column in self.columns]
        heads = [
            {"label": column.label or column.key, "number": is_number, "order": self.order_of(column)}
            for column, is_number in columns
        ]
        rows = [
            [self.cell(column, row, is_number) for column, is_number in columns]
            for row in self.frame.to_dict("records")
        ]
        downloads = {name: packed(text) for name, text in self.files.items()}
        return render("table.html.j2", table=self, heads=heads, rows=rows, downloads=downloads)

    @cached_property
    def files(self) -> dict[str, str]:
        digits = {column.key: column.digits for column in self.columns if column.digits is not None}
        digits |= {edge: digits[c.key] for c in self.columns for edge in (c.low, c.high) if edge}
        formats = {key: partial(show, digits=n, thousands="") for key, n in digits.items()}
        csv = self.frame.to_csv(index=False, lineterminator="\n")
        return {f"{self.name}.csv": csv, f"{self.name}.tex": latex_table(self.frame, formats, MISSING)}

    def is_number(self, column: Column) -> bool:
        return pd.api.types.is_numeric_dtype(self.frame[column.key])

    def order_of(self, column: Column) -> str | None:
        key, direction = self.order
        return direction if column.key == key else "none"

    def cell(self, column: Column, row: Mapping[str, Any], is_number: bool) -> dict[str, Any]:
        value = row[column.key]
        interval = [show(row[edge], column.digits) for edge in (column.low, column.high) if edge]
        is_metric = column.key == "metric" and isinstance(value, str) and "@" not in value
        return {
            "text": with_tooltip(value) if is_metric else show(value, column.digits),
            "value": "" if is_missing(value) else value,
            "interval": interval,
            "link": column.link and row[column.link],
            "number": is_number,
        }


def beside(names: Iterable[str], what: str, *headings: str) -> dict[str, str]:
    """Return name -> column for names of the config that share a table with ``headings``.

    A model that is called ``metric`` gets the column ``metric (model)`` where there is one of that name already.
    """
    return {name: f"{name} ({what})" if name in headings else name for name in names}


def packed(text: str) -> str:
    """Return text as the page carries it: compressed, the same characters each time."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def show(value: Any, digits: int | None = None, thousands: str = ",") -> str:
    """Write a value for a reader: counts with separators, ``digits`` decimals, a dash where missing."""
    if is_missing(value):
        return MISSING
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if digits is None:
        return f"{value:{thousands}}" if isinstance(value, int) else f"{value:.4g}"
    return f"{value:{thousands}.{digits}f}"
