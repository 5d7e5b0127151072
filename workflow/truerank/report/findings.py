"""The findings of a paper, checked with the figures of our study."""

import math
import operator
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from truerank.report.block import Block, Prose
from truerank.report.compared import each_dataset
from truerank.report.published import Ours, Paper, merged
from truerank.report.table import Column, Table, show

REPRODUCED, PARTLY, NOT_AT_ALL, CANNOT = "✓ reproduced", "◐ partly", "✗ not reproduced", "– cannot be checked"
RELATIONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
DIGITS = 3


class Outcome(NamedTuple):
    """A checked finding: whether it is reproduced, how many of its statements hold, and the evidence in words."""

    outcome: str
    right: int
    of: int
    evidence: str


def check(finding: Mapping[str, Any], ours: Ours) -> Outcome:
    """Check a finding with our figures.

    Its ``figures`` are named numbers and ``holds`` lists statements about them, such as ``"deep < shallow"`` or
    ``"tau > 0.9"``; with ``each`` both are repeated for every value of one column. The finding is reproduced if all
    statements hold, except for as many ``exceptions`` as the paper allows. A statement about a figure that the study
    does not have is left out; if none is left, the finding cannot be checked.
    """
    if "cannot" in finding:
        return Outcome(CANNOT, 0, 0, finding["cannot"])
    column, values = next(iter(finding.get("each", {"": [""]}).items()))
    results, evidence, absent = [], [], []
    for value in values:
        own = {"where": {column: value}} if column else {}
        figures = {name: ours.figure(**merged(finding, own, of)) for name, of in finding["figures"].items()}
        statements = [holds(statement, figures) for statement in finding["holds"]]
        results += [held for held in statements if held is not None]
        listed = ", ".join(f"{name} {show(figure, finding.get('digits', DIGITS))}" for name, figure in figures.items())
        sign = "" if None in statements or len(values) == 1 else " ✓" if all(statements) else " ✗"
        evidence.append(f"{value}: {listed}{sign}" if column else listed)
        absent += [f"{value} {name}".strip() for name, figure in figures.items() if math.isnan(figure)]
    if not results:
        return Outcome(CANNOT, 0, 0, f"the study has no value for {', '.join(absent)}")
    right = sum(results)
    enough = right >= len(results) - finding.get("exceptions", 0)
    outcome = REPRODUCED if enough else PARTLY if right else NOT_AT_ALL
    return Outcome(outcome, right, len(results), "; ".join(evidence))


def holds(statement: str, figures: Mapping[str, float]) -> bool | None:
    """Tell whether ``figure relation figure-or-number`` is true, None where a figure is missing."""
    first, relation, second = statement.split()
    left, right = (figures[side] if side in figures else float(side) for side in (first, second))
    return None if math.isnan(left) or math.isnan(right) else RELATIONS[relation](left, right)


def paper_findings(paper: Paper) -> Block:
    """Every finding of the paper with our evidence, for every dataset of the study."""
    if not paper.content.get("findings"):
        return Prose("No finding of this paper is listed.")
    return each_dataset(paper, lambda ours, suffix: findings_table(findings_of(paper, ours), ours, suffix))


def checked_findings(paper: Paper) -> list[tuple[str, str]]:
    """Return the outcome and the words of every finding, on every dataset that it is about."""
    return [(check(one, ours).outcome, one["says"]) for ours in paper.ours for one in findings_of(paper, ours)]


def findings_of(paper: Paper, ours: Ours) -> list[Mapping[str, Any]]:
    """Return the findings that are about a dataset: one that names ``datasets`` is about these alone."""
    every = paper.content.get("findings", ())
    return [finding for finding in every if ours.dataset in finding.get("datasets", (ours.dataset,))]


def findings_table(findings: Iterable[Mapping[str, Any]], ours: Ours, suffix: str | None) -> Table:
    rows = []
    for finding in findings:
        found = check(finding, ours)
        share = f" ({found.right} of {found.of})" if found.outcome == PARTLY else ""
        rows.append([finding["says"], finding["from"], found.outcome + share, found.evidence])
    frame = pd.DataFrame(rows, columns=["their finding", "from", "here", "evidence"])
    columns = [Column("their finding"), Column("from"), Column("here"), Column("evidence", "our figures, or why not")]
    name = "findings" + (f"_{suffix}" if suffix else "")
    return Table(name, frame, "The findings of the paper, and our results", columns, folds=False)
