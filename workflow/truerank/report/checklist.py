"""The last section: what a reviewer would ask, and whether the advice of papers holds on this data."""

import pandas as pd

from truerank.artefacts.files import read_json
from truerank.core.checklist import ANSWERS
from truerank.report.block import Block, Blocks, Prose
from truerank.report.study import OpenStudy
from truerank.report.table import Column, Table

HOLDS = {True: "yes", False: "no", None: "not known"}


def checklist(study: OpenStudy) -> Block:
    """Every question of a reviewer with its answer."""
    rows = pd.DataFrame(read_json(study.results / "checklist" / f"{study.dataset}.json"))
    counts = rows["answer"].value_counts()
    sentence = ", ".join(f"{counts.get(answer, 0)} {answer}" for answer in ANSWERS)
    caption = "What a reviewer would ask, answered from the artefacts of the study"
    columns = [Column(name) for name in ("question", "answer", "why")]
    return Blocks(Prose(f"{sentence}."), Table("checklist", rows, caption, columns, sortable=False))


def advice(study: OpenStudy) -> Block:
    """What papers advise on metrics, and what this data says of each piece."""
    found = study.verdict.get("advice")
    if not found:
        return Prose("Advice does not apply: the study has no ranking part to compare it with.")
    rows = pd.DataFrame(found)
    rows["holds"] = [HOLDS[None if pd.isna(value) else bool(value)] for value in rows["holds"]]
    columns = [Column("source"), Column("advice"), Column("here", "what this data says"), Column("holds", "holds here")]
    return Table("advice", rows, "The advice of papers, and whether it holds on this data", columns, sortable=False)
