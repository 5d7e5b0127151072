"""The results of all public functions: named data frames with methods to display and export them."""

import base64
import hashlib
import html
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import pandas as pd

from truerank.artefacts.pages import TEMPLATES
from truerank.errors import UserError
from truerank.provenance import PathLike, whole

MISSING = "\N{EN DASH}"
DIGITS = 4
LATEX = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}"}
LATEX |= {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", MISSING: "--"}

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{style}
body {{ padding-left: 0; }}
</style>
</head>
<body>
<main id="content">
<h1>{title}</h1>
{body}
</main>
<script>{script}</script>
</body>
</html>
"""


@dataclass(frozen=True)
class Result:
    """Frames, each an attribute of the name that it has in JSON; a subclass is a frozen dataclass of them.

    The first line of a subclass's docstring is the title of its page. ``notes`` are sentences that a reader needs to
    read the numbers correctly: what was assumed, left out or could not be determined.
    """

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The frames by name, in order."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, pd.DataFrame)}

    @property
    def shown(self) -> dict[str, pd.DataFrame]:
        """The frames of the page by caption."""
        return self.frames

    @property
    def title(self) -> str:
        return (type(self).__doc__ or type(self).__name__).partition("\n")[0].rstrip(".")

    def frame(self, name: str | None = None) -> pd.DataFrame:
        """Return a frame by name, the first if none is given."""
        name = next(iter(self.frames)) if name is None else name
        if name not in self.frames:
            raise UserError(f"frame is {name!r}, expected one of: {', '.join(self.frames)}; correct it")
        return self.frames[name]

    def to_dict(self) -> dict[str, Any]:
        """Return the frames as lists of records, without NaN: what is missing is None."""
        return {name: records(frame) for name, frame in self.frames.items()}

    def to_json(self, path: PathLike | None = None) -> str:
        """Return all frames as JSON, ``{"summary": [..], ..}``, and write it to ``path`` if that is given."""
        return kept(json.dumps(self.to_dict(), indent=2, ensure_ascii=False, default=as_plain) + "\n", path)

    def to_csv(self, path: PathLike | None = None, frame: str | None = None) -> str:
        """Return one frame, the first if not named, as CSV, with all digits."""
        return kept(self.frame(frame).to_csv(index=False, lineterminator="\n"), path)

    def to_latex(self, path: PathLike | None = None, frame: str | None = None) -> str:
        """Return one frame, the first if not named, as a LaTeX table of the package booktabs."""
        return kept("\n".join(latex_lines(self.frame(frame))) + "\n", path)

    def to_html(self, path: PathLike | None = None) -> str:
        """Return a page of its own, with tables that sort, and nothing loaded from elsewhere."""
        return kept(page(self.title, self._repr_html_()), path)

    def _repr_html_(self) -> str:
        parts = [f"<p>{html.escape(note)}</p>" for note in self.notes]
        return "\n".join([*parts, *(html_table(name, frame) for name, frame in self.shown.items())])

    def __str__(self) -> str:
        shown = [frame.to_string(index=False, na_rep=MISSING) for frame in self.frames.values() if len(frame)]
        return "\n\n".join([*shown, *self.notes])


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a frame's rows; NaN and infinity, which JSON does not have, are None."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{name: as_plain(value) for name, value in row.items()} for row in rows]


def as_plain(value: Any) -> Any:
    """Return a NumPy scalar as Python has it; a number that is not finite is None."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def kept(text: str, path: PathLike | None) -> str:
    """Write text to a file, whole or not at all, if there is a path; return the text."""
    if path is not None:
        try:
            with whole(path) as temporary:
                temporary.write_text(text, encoding="utf-8")
        except (OSError, ValueError) as failure:
            reason = (getattr(failure, "strerror", None) or str(failure)).lower()
            raise UserError(f"{path} cannot be written: {reason}; give another file") from None
    return text


def show(value: Any) -> str:
    """Write a value for a reader: four decimals, small numbers such as p-values to three digits, a dash if missing."""
    value = as_plain(value)
    if value is None or value is pd.NA:
        return MISSING
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.{DIGITS}f}" if value == 0 or abs(value) >= 10**-DIGITS else f"{value:.2e}"


def is_number(frame: pd.DataFrame, name: str) -> bool:
    return pd.api.types.is_numeric_dtype(frame[name]) and not pd.api.types.is_bool_dtype(frame[name])


def html_table(name: str, frame: pd.DataFrame) -> str:
    """Return a table that the page's script sorts."""
    numbers = {column: ' class="number"' if is_number(frame, column) else "" for column in frame.columns}
    buttons = {column: f'<button type="button">{html.escape(str(column))}</button>' for column in frame.columns}
    heads = "".join(
        f'<th scope="col"{numbers[column]} aria-sort="none">{button}</th>' for column, button in buttons.items()
    )
    rows = "\n".join(f"<tr>{''.join(html_cells(row, numbers))}</tr>" for row in frame.to_dict("records"))
    caption = html.escape(name)
    return (
        f'<figure class="tabular"><figcaption id="{caption}-caption">{caption}</figcaption>'
        f'<div class="wide" role="region" aria-labelledby="{caption}-caption" tabindex="0">'
        f'<table aria-labelledby="{caption}-caption"><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>'
        "</div></figure>"
    )


def html_cells(row: Mapping[Any, Any], numbers: Mapping[Any, str]) -> Iterator[str]:
    for column, value in row.items():
        plain = as_plain(value)
        own = f' data-value="{"" if plain is None else plain}"' if numbers[column] else ""
        yield f"<td{numbers[column]}{own}>{html.escape(show(value))}</td>"


def page(title: str, body: str) -> str:
    """Return a whole page with the look of a report; its own script is the only one that may run."""
    style, script = ((TEMPLATES / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; img-src blob:; script-src 'sha256-{allowed}'"
    return PAGE.format(title=html.escape(title), policy=policy, style=style, body=body, script=script)


def latex_lines(frame: pd.DataFrame) -> Iterator[str]:
    """Yield the lines of a table: text to the left, numbers to the right."""
    yield rf"\begin{{tabular}}{{{''.join('r' if is_number(frame, name) else 'l' for name in frame.columns)}}}"
    yield r"\toprule"
    yield latex_row(map(str, frame.columns))
    yield r"\midrule"
    for row in frame.itertuples(index=False):
        yield latex_row(show(value).replace(",", "") if isinstance(value, int) else show(value) for value in row)
    yield r"\bottomrule"
    yield r"\end{tabular}"


def latex_row(cells: Iterator[str]) -> str:
    return " & ".join("".join(LATEX.get(sign, sign) for sign in cell) for cell in cells) + r" \\"
