"""A paper's tables on its page: the printed numbers beside ours as bars, and the table below it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
from markupsafe import Markup

from truerank.report.block import Block, Blocks, Folded, Prose, bold, render
from truerank.report.compared import (
    ABSENT,
    AGREES,
    JUDGED,
    NOT_REPRODUCED,
    SIGNS,
    UNLIKE,
    WORDS,
    cells,
    each_dataset,
    names_dataset,
)
from truerank.report.printed_bars import printed_bars
from truerank.report.published import Ours, Paper
from truerank.report.table import Column, Table, show


class Comparison(Block):
    """A paper's table with ours below each figure, and a sign."""

    def __init__(self, table: Mapping[str, Any], frame: pd.DataFrame, dataset: str | None = None) -> None:
        self.table = table
        self.frame = frame
        self.name = table["name"] + (f"_{dataset}" if dataset else "")
        self.caption = table["caption"]

    @property
    def html(self) -> Markup:
        digits = self.table["digits"]
        rows: dict[str, list[dict[str, str]]] = {}
        for cell in self.frame.to_dict("records"):
            tried = "tried" in self.table["rows"][cell["row"]]
            name = f"{cell['row']} ({NOT_REPRODUCED})" if tried else cell["row"]
            rows.setdefault(name, []).append(
                {
                    "theirs": show(cell["theirs"], digits),
                    "ours": ABSENT if cell["outcome"] == ABSENT else show(cell["ours"], digits),
                    "sign": SIGNS[cell["outcome"]],
                    "outcome": cell["outcome"],
                    "words": WORDS[cell["outcome"]],
                }
            )
        heads = list(self.table["columns"])
        return render("comparison.html.j2", comparison=self, heads=heads, rows=rows, agreed=self.agreed)

    @property
    def agreed(self) -> list[str]:
        """How many figures agree, and of how many that are judged, per column; empty for a single row."""
        judged = self.frame[self.frame["outcome"].isin(JUDGED)]
        if judged.groupby("column").size().max() <= 1 or judged.empty:
            return []
        right = judged["outcome"].eq(AGREES).groupby(judged["column"]).agg(["sum", "size"])
        return ["{} of {}".format(*right.loc[head]) if head in right.index else "" for head in self.table["columns"]]


def paper_tables(paper: Paper) -> Block:
    """Every table of the paper, with the whole list of figures below it; one that names no dataset for every dataset
    of the study."""
    if not paper.content.get("tables"):
        return Prose("No figure of this paper can be compared here. " + paper.content["note"])
    once = [table for table in paper.content["tables"] if len(paper.ours) > 1 and names_dataset(table)]
    each = [table for table in paper.content["tables"] if table not in once]
    across = [shown(table, paper.ours[0], None) for table in once]
    of_each = each_dataset(paper, lambda ours, suffix: Blocks(*(shown(table, ours, suffix) for table in each)))
    return Blocks(*across, *([of_each] if each else []))


def shown(table: Mapping[str, Any], ours: Ours, suffix: str | None) -> Blocks:
    """What agrees in a sentence, the picture, why figures differ or are not judged, and what unfolds."""
    frame = cells(table, ours)
    run_here = frame["dataset"].isin(ours.selected).groupby(frame["row"]).transform("any")
    comparison = Comparison(table, frame[run_here], suffix)
    picture = printed_bars(comparison.name, table, frame[run_here])
    left_out = ", ".join(frame["dataset"][~run_here].unique())
    notes = [f"Not in this study, so only in the list below: {left_out}."] if left_out else []
    notes += not_judged(frame[frame["dataset"].isin(ours.selected)])
    notes += [f"{name}: {why}." for why, name in named_by(frame[frame["outcome"] != ABSENT])]
    digits = table["digits"]
    columns = [Column("row"), Column("column"), Column("theirs", digits=digits), Column("ours", digits=digits + 2)]
    columns += [Column("difference", digits=digits + 2), Column("tolerance", digits=digits + 2)]
    columns += [Column("outcome"), Column("note")]
    every = Table(comparison.name, frame, f"Every figure of {table['caption']}", columns)
    return Blocks(
        Prose(Markup("{}: {}.").format(bold(table["caption"]), agreement(frame)), kind="answer"),
        *([picture] if picture else []),
        *map(Prose, notes),
        *([Folded("Table: theirs and ours", comparison)] if run_here.any() else []),
        Folded("Every figure, its difference and its tolerance", every),
    )


def agreement(frame: pd.DataFrame) -> str:
    """How many figures of a table agree, in words; or how many stand beside ours, where none is judged."""
    count = Counter(frame["outcome"])
    judged = sum(count[outcome] for outcome in JUDGED)
    if judged:
        return f"{count[AGREES]} of {judged} figure{'s' * (judged > 1)} agree"
    beside = count[UNLIKE]
    return f"{beside} figure{'s' * (beside > 1)} beside ours, not judged" if beside else "no printed figure to compare"


def not_judged(frame: pd.DataFrame) -> list[str]:
    """Say why figures are not judged, and of which datasets where reasons differ."""
    reasons = frame.dropna(subset="unlike").groupby("unlike", sort=False)["dataset"]
    named = [(why, "" if len(reasons) == 1 else f" ({', '.join(of.unique())})") for why, of in reasons]
    return [f"Not judged{datasets}: {why}." for why, datasets in named]


def named_by(frame: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """Yield each note with the rows that it is about."""
    for note, rows in frame.dropna(subset="note").groupby("note", sort=False)["row"]:
        yield note, ", ".join(dict.fromkeys(rows))
