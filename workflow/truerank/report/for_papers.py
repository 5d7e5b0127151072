"""What to write into a paper: two sentences with numbers, p-values and the method, and the sources as BibTeX."""

from collections.abc import Iterator

from truerank.report.bibliography import ENTRIES
from truerank.report.block import Block, Blocks, Copied
from truerank.report.data import percent
from truerank.report.first_screen import main_part, p_in_words
from truerank.report.method import CANDIDATES
from truerank.report.ranked_error import RANKED_ERROR
from truerank.report.sampled import most_reversed
from truerank.report.study import OpenStudy, Part
from truerank.report.table import show
from truerank.report.verdict import paired, with_interval
from truerank.report.which_order import UNCORRECTED, sampling_part


def for_papers(study: OpenStudy) -> Block:
    """Sentences to copy into a paper, and BibTeX entries of the methods that the study uses."""
    part = main_part(study)
    if part is None:
        return Blocks()
    sentences = " ".join([result_sentence(part), *method_sentences(study, part)])
    entries = "\n\n".join(sources(study, part))
    return Blocks(
        Copied("paper_sentences", "For a paper: result and method", sentences),
        Copied("paper_bibtex", "For a paper: BibTeX of the methods used", entries, code=True),
    )


def result_sentence(part: Part) -> str:
    """Who leads, with the interval, the runner-up, the test, and over whom."""
    metric, k = part.headlines[0]
    rows = part.standings(metric, k).dropna(subset="value")
    users = show(part.facts["test_users"])
    where = f"On {part.study.dataset} ({users} test users, split {part.split})"
    if rows.empty:
        return f"{where}, no model has a defined {metric}@{k}."
    first = rows.iloc[0]
    best = f"{first['model']} reaches {metric}@{k} = {with_interval(first)}"
    if len(rows) == 1:
        return f"{where}, {best}."
    second = rows.iloc[1]
    p_value = paired(part, metric, k, first, second)
    tested = "the pair was not tested"
    if p_value is not None:
        pairs = len(rows) * (len(rows) - 1) // 2
        adjusted = f" after Holm’s adjustment for {pairs} pairs" if pairs > 1 else ""
        tested = f"paired sign-flip test over users, {p_in_words(p_value)}{adjusted}"
    against = f"against {second['value']:.4f} of {second['model']}"
    return f"{where}, the best of {len(rows)} models, {best}, {against} ({tested})."


def method_sentences(study: OpenStudy, part: Part) -> Iterator[str]:
    """Why this metric, from which candidates, and what sampling would have done."""
    found, sampling = study.verdict["metrics"], study.verdict["sampling"]
    metric, k = part.headlines[0]
    ranked = f"Metrics are computed from exact ranks among {CANDIDATES[part.candidates]}"
    if found and f"{metric}@{k}" in found["set"]:
        ranked += (
            f"; {metric}@{k} is one of {len(found['set'])} of {found['of']} metrics that are not significantly "
            "worse than the one that separates models best (95 % confidence set over users)"
        )
    if (name := most_reversed(sampling)) is not None:
        one = sampling["samplers"][name]
        ranked += (
            f"; {sampling['negatives']} sampled negatives without correction would have reversed {one['reversed']} of "
            f"{one['orders']} orders of models ({percent(one['reversed'] / one['orders'])}, sampler {name})"
        )
    yield f"{ranked}."


def sources(study: OpenStudy, part: Part) -> Iterator[str]:
    """The entries of what the study uses."""
    version = study.provenance.get("versions", {}).get("truerank", "unknown")
    yield ENTRIES["truerank"].replace("VERSION", version)
    if len(part.models) > 1:
        yield ENTRIES["holm1979"]
        if part.name == "ranking":
            yield ENTRIES["valcarce2018"]
    if any(one.kind(metric) in RANKED_ERROR for one in study.parts for metric in one.metrics):
        yield ENTRIES["aftab2022"]
    sampled = sampling_part(study)
    if sampled is not None:
        yield ENTRIES["krichene2020"]
        if any(estimator != UNCORRECTED for estimator in sampled.selected.get("estimators", ())):
            yield ENTRIES["li2024"]
