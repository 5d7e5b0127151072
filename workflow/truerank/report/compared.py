"""A paper's tables against ours, cell by cell."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from truerank.report.block import Block, Blocks, Heading, Prose
from truerank.report.expected import expected
from truerank.report.published import Ours, Paper, merged

AGREES, DIFFERS, KNOWN, UNLIKE, ABSENT = "agrees", "differs", "differs, reason known", "not judged", "not run here"
UNPRINTED, NOT_AT_HAND, NOT_REPRODUCED = "not printed", "not at hand", "not reproduced"
JUDGED = [AGREES, DIFFERS, KNOWN, NOT_REPRODUCED]
SIGNS = {AGREES: "=", DIFFERS: "≠", KNOWN: "≠*", NOT_REPRODUCED: "≠†", UNLIKE: "~", ABSENT: ""}
SIGNS |= {UNPRINTED: "", NOT_AT_HAND: ""}
WORDS = {
    AGREES: "within the tolerance",
    DIFFERS: "differs",
    KNOWN: "differs, for a stated reason",
    NOT_REPRODUCED: "differs: no variant that was tried reproduces the row",
    UNLIKE: "not judged: data or models are not the same",
    ABSENT: "not run here: the study has no such figure",
    UNPRINTED: "the paper has no such figure",
    NOT_AT_HAND: "the paper has this figure, but it was not at hand",
}
CELLS = ["dataset", "row", "column", "theirs", "expected", "ours", "difference", "tolerance", "outcome"]
CELLS += ["note", "unlike"]


def cells(table: Mapping[str, Any], ours: Ours) -> pd.DataFrame:
    r"""Return one row per printed figure: theirs, ours, the difference, the tolerance, and what that makes.

    .. math:: |\text{ours} - f \cdot \text{theirs}| \le f (\tfrac12 10^{-d} + s \sigma) + t

    d are the digits printed, t the tolerance of the row, s the ``spreads`` of the table and sigma the standard
    deviation of the difference by chance. f is 1, or what another number of users is expected to make of an error. Of a
    split that is not the table's, nothing is judged. A figure that names a dataset is that dataset's, whichever
    ``ours`` is of.
    """
    rows = []
    for name, row in table["rows"].items():
        tolerances = row.get("tolerance", 0)
        if not isinstance(tolerances, list):
            tolerances = [tolerances] * len(row["printed"])
        for (column, of_column), printed, extra in zip(
            table["columns"].items(), row["printed"], tolerances, strict=True
        ):
            theirs, spread = figure_and_spread(printed)
            spread = spread_of_difference(theirs, spread, table.get("repeats"), table.get("counts"))
            specification = merged(table, of_column, row)
            value, own = ours.figure(**specification), ours.at(specification.get("dataset"))
            unlike = why_unlike(table, row, own)
            times, why = expected(own, {} if unlike else of_column.get("expected", table.get("expected", {})))
            tolerance = times * (0.5 * 10 ** -table["digits"] + table.get("spreads", 0) * spread) + extra
            aim = times * theirs
            reason = row.get("known", {}).get(column)
            outcome = outcome_of(aim, value, tolerance, unlike, reason, row.get("tried"))
            if outcome == UNPRINTED and table.get("not_at_hand"):
                outcome = NOT_AT_HAND
            said = reason or row.get("tried") or (row.get("because") if extra else None)
            note = "; ".join(filter(None, [said, why if outcome in JUDGED else None])) or None
            judged = math.nan if unlike else tolerance
            rows.append([own.dataset, name, column, theirs, aim, value, value - aim, judged, outcome, note, unlike])
    return pd.DataFrame(rows, columns=CELLS)


def why_unlike(table: Mapping[str, Any], row: Mapping[str, Any], ours: Ours) -> str | None:
    """Say why a dataset's figures of a row are shown and not judged, None if they are judged."""
    if table.get("split", ours.split) != ours.split:
        return f"their figures are of the split {table['split']}, ours of {ours.split}"
    unlike = row.get("unlike", table.get("unlike"))
    return unlike.get(ours.dataset) if isinstance(unlike, Mapping) else unlike


def figure_and_spread(printed: float | str | None) -> tuple[float, float]:
    """Read a printed cell, ``8.52`` or ``8.52±0.16``; NaN where there is none."""
    if printed is None:
        return math.nan, 0.0
    figure, _, spread = str(printed).partition("±")
    return float(figure), float(spread or 0)


def spread_of_difference(
    theirs: float, spread: float, repeats: int | None = None, counts: bool | None = False
) -> float:
    r"""Return the standard deviation of the difference of two means over ``repeats``, or of two counts among them.

    .. math:: \sigma \sqrt{2 / n} \quad \text{or} \quad \sqrt{2 n p (1 - p)}, \quad p = (c + 1) / (n + 2)

    sigma is the printed spread of one repeat, n the number of repeats. p is Laplace's estimate from the printed count
    c, so that a count of none or all leaves room for chance too. Without repeats it is the printed spread.
    """
    if counts:
        assert repeats is not None
        p = (theirs + 1) / (repeats + 2)
        return math.sqrt(2 * repeats * p * (1 - p))
    return spread * math.sqrt(2 / repeats) if repeats else spread


def outcome_of(
    theirs: float,
    ours: float,
    tolerance: float,
    unlike: str | None = None,
    reason: str | None = None,
    tried: str | None = None,
) -> str:
    if math.isnan(ours):
        return ABSENT
    if math.isnan(theirs):
        return UNPRINTED
    if unlike:
        return UNLIKE
    if abs(ours - theirs) <= tolerance * (1 + 1e-9):
        return AGREES
    return KNOWN if reason else NOT_REPRODUCED if tried else DIFFERS


def names_dataset(table: Mapping[str, Any]) -> bool:
    """Tell whether every figure of a table names its dataset: such a table is shown once, not for each of ours."""
    return all(
        "dataset" in merged(table, column, row)
        for column in table["columns"].values()
        for row in table["rows"].values()
    )


def tables_of(paper: Paper) -> Iterator[tuple[Mapping[str, Any], Ours, pd.DataFrame]]:
    """Yield every table with the artefacts that it is set against, and its cells: for each dataset, or once."""
    for table in paper.content.get("tables", ()):
        for ours in paper.ours[:1] if names_dataset(table) else paper.ours:
            yield table, ours, cells(table, ours)


def all_cells(paper: Paper) -> pd.DataFrame:
    """Every compared figure of the paper, each one once; what is neither printed nor run is none."""
    frames = [frame for _, _, frame in tables_of(paper)]
    if not frames:
        return pd.DataFrame({"outcome": []})
    return pd.concat(frames, ignore_index=True).dropna(subset=["theirs", "ours"], how="all")


def about(entries: Iterable[Mapping[str, Any]], ours: Ours) -> list[Mapping[str, Any]]:
    """Return the findings or drawings that are about a dataset: one that names ``datasets`` is about these alone."""
    return [entry for entry in entries if ours.dataset in entry.get("datasets", (ours.dataset,))]


def each_dataset(paper: Paper, show_one: Callable[[Ours, str | None], Block | None]) -> Block:
    """Apply ``show_one`` to every dataset; with more than one, each that has something to show gets a heading."""
    if len(paper.ours) == 1:
        return show_one(paper.ours[0], None) or Blocks()
    shown = ((ours.dataset, show_one(ours, ours.dataset)) for ours in paper.ours)
    return Blocks(*(Blocks(Heading(dataset), block) for dataset, block in shown if block is not None))


def each_about(paper: Paper, kind: str, show: Callable[[list[Mapping[str, Any]], Ours, str | None], Block]) -> Block:
    """Apply ``show`` to the findings or drawings that are about each dataset; say so where none is.

    kind : finding or drawing.
    """
    entries = paper.content.get(f"{kind}s", ())
    if not any(about(entries, ours) for ours in paper.ours):
        every = f"Every {kind} of this paper is about other datasets."
        return Prose(every if entries else f"No {kind} of this paper is listed.")

    def show_one(ours: Ours, suffix: str | None) -> Block | None:
        own = about(entries, ours)
        return show(own, ours, suffix) if own else None

    return each_dataset(paper, show_one)
