"""The findings of a paper, checked with the figures of our study."""

import math
import operator
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from truerank.report.block import Block
from truerank.report.compared import about, each_about
from truerank.report.published import Ours, Paper, merged
from truerank.report.table import Column, Table, show

REPRODUCED, SO_FAR = "✓ reproduced", "✓ reproduced as far as checked"
PARTLY, NOT_AT_ALL, CANNOT = "◐ partly", "✗ not reproduced", "– cannot be checked"
RELATIONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
DIGITS = 3


class Outcome(NamedTuple):
    """A checked finding: whether it is reproduced, how many statements hold, of how many checked, and the evidence."""

    outcome: str
    right: int
    of: int
    evidence: str
    stated: int = 0

    @property
    def in_words(self) -> str:
        """The outcome, and where it does not tell all, how many statements hold and how many were checked."""
        share = f" ({self.right} of {self.of})" if self.outcome == PARTLY else ""
        checked = f", {self.of} of {self.stated} statements checked" if 0 < self.of < self.stated else ""
        return f"{self.outcome}{share}{checked}"


def check(finding: Mapping[str, Any], ours: Ours) -> Outcome:
    """Check a finding with our figures.

    Its ``figures`` are named numbers and ``holds`` lists statements about them, such as ``"deep < shallow"`` or
    ``"tau > 0.9"``; with ``each`` both are repeated for every value of one column. The finding is reproduced if all
    statements hold, except for as many ``exceptions`` as the paper allows. A statement about a figure that the study
    does not have is not checked: the finding is then reproduced as far as checked, or cannot be checked if none is.
    """
    if "cannot" in finding:
        return Outcome(CANNOT, 0, 0, finding["cannot"])
    column, values = next(iter(finding.get("each", {"": [""]}).items()))
    results: list[bool | None] = []
    evidence, absent = [], []
    for value in values:
        own = {"where": {column: value}} if column else {}
        figures = {name: ours.figure(**merged(finding, own, of)) for name, of in finding["figures"].items()}
        statements = [holds(statement, figures) for statement in finding["holds"]]
        results += statements
        listed = ", ".join(f"{name} {show(figure, finding.get('digits', DIGITS))}" for name, figure in figures.items())
        sign = "" if None in statements or len(values) == 1 else " ✓" if all(statements) else " ✗"
        evidence.append(f"{value}: {listed}{sign}" if column else listed)
        absent += [f"{value} {name}".strip() for name, figure in figures.items() if math.isnan(figure)]
    checked = [held for held in results if held is not None]
    if not checked:
        return Outcome(CANNOT, 0, 0, f"the study has no value for {', '.join(absent)}")
    right = sum(checked)
    enough = right >= len(checked) - finding.get("exceptions", 0)
    whole = REPRODUCED if len(checked) == len(results) else SO_FAR
    outcome = whole if enough else PARTLY if right else NOT_AT_ALL
    return Outcome(outcome, right, len(checked), "; ".join(evidence), len(results))


def holds(statement: str, figures: Mapping[str, float]) -> bool | None:
    """Tell whether ``figure relation figure-or-number`` is true, None where a figure is missing."""
    first, relation, second = statement.split()
    left, right = (figures[side] if side in figures else float(side) for side in (first, second))
    return None if math.isnan(left) or math.isnan(right) else RELATIONS[relation](left, right)


def paper_findings(paper: Paper) -> Block:
    """Every finding of the paper with our evidence, for every dataset of the study."""
    return each_about(paper, "finding", findings_table)


def checked_findings(paper: Paper) -> list[tuple[str, dict[str, str]]]:
    """Return the words of every finding, and its outcome on each dataset of the study that it is about."""
    found = [
        (one["says"], {ours.dataset: check(one, ours).outcome for ours in paper.ours if about([one], ours)})
        for one in paper.content.get("findings", ())
    ]
    return [finding for finding in found if finding[1]]


def findings_table(findings: Iterable[Mapping[str, Any]], ours: Ours, suffix: str | None) -> Table:
    rows = []
    for finding in findings:
        found = check(finding, ours)
        rows.append([finding["says"], finding["from"], found.in_words, found.evidence])
    frame = pd.DataFrame(rows, columns=["their finding", "from", "here", "evidence"])
    columns = [Column("their finding"), Column("from"), Column("here"), Column("evidence", "our figures, or why not")]
    name = "findings" + (f"_{suffix}" if suffix else "")
    return Table(name, frame, "The findings of the paper, and our results", columns, folds=False)
