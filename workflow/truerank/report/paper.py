"""A paper against ours: the answer first, then where it comes from."""

from collections import Counter

from markupsafe import Markup

from truerank.report.block import Block, Blocks, Prose, bold
from truerank.report.compared import (
    ABSENT,
    AGREES,
    DIFFERS,
    JUDGED,
    KNOWN,
    NOT_REPRODUCED,
    UNLIKE,
    UNPRINTED,
    all_cells,
)
from truerank.report.findings import CANNOT, NOT_AT_ALL, PARTLY, REPRODUCED, checked_findings
from truerank.report.method import provenance_of
from truerank.report.paper_picture import agreement_figure
from truerank.report.published import Paper


def paper_verdict(paper: Paper) -> Block:
    """Name the paper, and count the figures that agree and the findings that are reproduced."""
    content = paper.content
    figures = Counter(all_cells(paper)["outcome"])
    found = Counter(outcome for outcome, _ in checked_findings(paper))
    return Blocks(
        Prose(Markup("{}.").format(content["cite"])),
        Prose(Markup(" ").join([on_figures(figures), on_findings(found)]), kind="lead"),
        *filter(None, [agreement_figure(paper)]),
        Prose(content["note"]),
    )


def on_figures(count: Counter[str]) -> Markup:
    judged = sum(count[outcome] for outcome in JUDGED)
    sentences = []
    if judged:
        sentence = Markup("{} of {} figures agree within their tolerance; {} differ, and {} more for a known reason.")
        sentences.append(sentence.format(bold(count[AGREES]), judged, bold(count[DIFFERS]), count[KNOWN]))
    if count[NOT_REPRODUCED]:
        sentences.append(Markup("{} are in rows that could not be reproduced.").format(bold(count[NOT_REPRODUCED])))
    if count[UNLIKE]:
        sentences.append(Markup("{} figures are shown side by side without a judgement.").format(count[UNLIKE]))
    if count[UNPRINTED]:
        sentences.append(Markup("{} of our figures have no counterpart in the paper.").format(count[UNPRINTED]))
    if count[ABSENT]:
        sentences.append(Markup("{} figures have no counterpart in this study.").format(count[ABSENT]))
    return Markup(" ").join(sentences or [Markup("No figure is compared.")])


def on_findings(count: Counter[str]) -> Markup:
    if not count:
        return Markup("")
    return Markup("Of {} findings {} are reproduced, {} partly, {} not, and {} cannot be checked.").format(
        count.total(), bold(count[REPRODUCED]), count[PARTLY], bold(count[NOT_AT_ALL]), count[CANNOT]
    )


def paper_provenance(paper: Paper) -> Block:
    """Seed, commit, versions, command and config of the study."""
    return Blocks(*provenance_of(paper.config, paper.provenance, f"results/report/paper/{paper.name}.html"))
