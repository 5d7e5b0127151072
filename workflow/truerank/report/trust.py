"""The answers of the first screen in full: every sentence with its figures, and where the page shows why."""

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from truerank.core.verdict_words import sentences
from truerank.report.block import Answers, Block, Folded, bold
from truerank.report.data import percent
from truerank.report.pairs import smallest_difference
from truerank.report.sampled import believed, most_reversed
from truerank.report.study import OpenStudy
from truerank.report.verdict import leading_sentence, separated_sentence

UNCORRECTED = "uncorrected"  # the estimator that leaves sampled numbers as they are


def trust(study: OpenStudy) -> Block:
    """The answers of the page, each in a few sentences with its figures, and links to what they rest on."""
    found = study.verdict
    judged = ["Discriminative power", "Robustness", "Agreement of metrics"]
    sampled = ["Sampled metrics", "Order under sampling", "Correction"]
    return Folded(
        "The full answers, with their numbers",
        Answers(
            ("Which metric to report", list(on_metrics(study, found["metrics"])), judged),
            ("Which models are really different", list(on_models(study)), ["Leaderboard"]),
            ("Can sampled metrics be trusted here", list(on_sampling(study, found["sampling"])), sampled),
        ),
    )


def on_metrics(study: OpenStudy, found: Mapping[str, Any] | None) -> Iterator[str]:
    if all(part.name != "ranking" for part in study.parts):
        yield "The study has no ranking part, so the metrics were not compared."
    else:
        yield from sentences(found, Markup, bold)


def on_models(study: OpenStudy) -> Iterator[str]:
    part = next((part for part in study.parts if part.name == "ranking"), study.parts[0] if study.parts else None)
    if part is None:
        yield "The study selects no part that ranks items."
        return
    yield leading_sentence(part)
    if len(part.models) > 1:
        yield separated_sentence(part)
        yield from smallest_difference(part)


def on_sampling(study: OpenStudy, found: Mapping[str, Any] | None) -> Iterator[str]:
    part = next((part for part in study.parts if part.name == "sampling" and part.selected.get("samplers")), None)
    if part is None:
        yield "The study samples no candidates, so it cannot say: every number on this page is exact."
        return
    if found is None or not found["samplers"]:
        yield "No sampler with 100 negatives was tried without correction; the sections on sampling show what was."
    else:
        turned = any(one["reversed"] for one in found["samplers"].values())
        verdict = bold("Not as they are" if turned else "Their order, yes")
        counts = [f"{name} {one['reversed']} of {one['orders']}" for name, one in found["samplers"].items()]
        text = "{}: with {} sampled negatives and no correction, these numbers of orders would be reversed: {} ({})."
        rest_on = "pairs of models under every metric and cut-off"
        yield Markup(text).format(verdict, found["negatives"], ", ".join(counts), rest_on)
        yield from believed(part, most_reversed(found) or "")
    if found:
        best = found["estimator"]
        others = best["equals"]
        alike = f" ({others} other estimator{' gets' if others == 1 else 's get'} as many)" if others else ""
        if best["name"] == UNCORRECTED:
            right = percent(best["right"])
            yield f"None of the corrections orders the models better than no correction ({right} of the orders right)."
        else:
            yield Markup("If you must sample, use {}, which gets {} of the orders right{}.").format(
                bold(best["name"]), percent(best["right"]), alike
            )
