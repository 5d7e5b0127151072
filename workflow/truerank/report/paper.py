"""A paper against ours: the answer first, then where it comes from."""

from collections import Counter
from collections.abc import Iterator

from markupsafe import Markup

from truerank.report.block import Block, Blocks, Prose, bold
from truerank.report.compared import (
    ABSENT,
    AGREES,
    DIFFERS,
    JUDGED,
    KNOWN,
    NOT_AT_HAND,
    NOT_REPRODUCED,
    UNLIKE,
    UNPRINTED,
    all_cells,
)
from truerank.report.findings import CANNOT, NOT_AT_ALL, PARTLY, REPRODUCED, SO_FAR, checked_findings
from truerank.report.method import provenance_of
from truerank.report.paper_picture import agreement_figure
from truerank.report.predictions import no_better_than_constant
from truerank.report.published import Paper
from truerank.report.ranked_error import RANKED_ERROR
from truerank.report.study import open_study


def paper_verdict(paper: Paper) -> Block:
    """Name the paper, and count the figures that agree and the findings that are reproduced."""
    content = paper.content
    figures = Counter(all_cells(paper)["outcome"])
    found = Counter(outcome for _, outcomes in checked_findings(paper) for outcome in outcomes.values())
    return Blocks(
        Prose(Markup("{}.").format(content["cite"])),
        Prose(Markup(" ").join([on_figures(figures), on_findings(found, len(paper.ours))]), kind="lead"),
        *filter(None, [agreement_figure(paper)]),
        Prose(content["note"], *on_predictions(paper)),
    )


def on_predictions(paper: Paper) -> Iterator[str]:
    """In a study of ranked errors, a sentence on the models whose predictions have no meaning, if there are any."""
    named = []
    for ours in paper.ours:
        study = open_study(paper.results, ours.dataset, paper.config, paper.provenance)
        for part in study.parts:
            if any(part.kind(metric) in RANKED_ERROR for metric in part.metrics):
                found = [
                    f"{model} ({error:.3f}, {mean:.3f}{', the same rating for all' if same else ''})"
                    for model, error, mean, same in no_better_than_constant(part)
                ]
                named += [f"on {ours.dataset} {', '.join(found)}"] if found else []
    if named:
        yield (
            "Models that predict ratings no better than a constant, with their RMSE and that of the mean training "
            f"rating: {'; '.join(named)}. Their SDCSE and migration have no meaning."
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
    if count[NOT_AT_HAND]:
        sentences.append(
            Markup("{} of our figures stand alone, since the paper’s were not at hand.").format(count[NOT_AT_HAND])
        )
    if count[ABSENT]:
        sentences.append(Markup("{} figures have no counterpart in this study.").format(count[ABSENT]))
    return Markup(" ").join(sentences or [Markup("No figure is compared.")])


def on_findings(count: Counter[str], n_datasets: int) -> Markup:
    if not count:
        return Markup("")
    so_far = f"{count[SO_FAR]} more as far as this study could check them, " if count[SO_FAR] else ""
    per = ", counted per dataset," if n_datasets > 1 else ""
    return Markup("Of {} findings{} {} are reproduced, {}{} partly, {} not, and {} cannot be checked.").format(
        count.total(), per, bold(count[REPRODUCED]), so_far, count[PARTLY], bold(count[NOT_AT_ALL]), count[CANNOT]
    )


def paper_provenance(paper: Paper) -> Block:
    """Seed, commit, versions, command and config of the study."""
    return Blocks(*provenance_of(paper.config, paper.provenance, f"results/report/paper/{paper.name}.html"))
