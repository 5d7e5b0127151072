"""The first screen: which metric to report, which models are really different, whether sampled numbers hold."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from truerank.report.block import Answers, Block, Blocks, Prose, bold
from truerank.report.data import dataset_line, percent, split_line
from truerank.report.sampled import believed
from truerank.report.study import OpenStudy
from truerank.report.verdict import leading_sentence, separated_sentence

MISSING = {
    "sparsity": "test ratings are missing at random",
    "popularity": "those of the most popular items are missing",
}
SHOWN = 6
UNCORRECTED = "uncorrected"  # the estimator that leaves sampled numbers as they are


def trust(study: OpenStudy) -> Block:
    """The answers of the page, each in a few sentences with its figures, and links to what they rest on."""
    found = study.verdict
    judged = ["Discriminative power", "Robustness", "Agreement of metrics"]
    sampled = ["Sampled metrics", "Order under sampling", "Correction"]
    return Blocks(
        Prose(Markup(" ").join([dataset_line(study), *map(split_line, study.parts)]), kind="lead"),
        Answers(
            ("Which metric to report", list(on_metrics(study, found["metrics"])), judged),
            ("Which models are really different", list(on_models(study, found["metrics"])), ["Leaderboard"]),
            ("Can sampled numbers be believed here", list(on_sampling(study, found["sampling"])), sampled),
        ),
    )


def on_metrics(study: OpenStudy, found: Mapping[str, Any] | None) -> Iterator[str]:
    if found is None:
        part = next((part for part in study.parts if part.name == "ranking"), None)
        if part is None:
            yield "The study has no ranking part, so no metric was put on trial."
        else:
            yield "With one model there is no order to keep and no pair to tell apart: no metric was put on trial."
        return
    yield from on_power(study, found)
    yield from on_robustness(found["robust"])


def on_power(study: OpenStudy, found: Mapping[str, Any]) -> Iterator[Markup]:
    """Which metric to report; none where none separates a pair."""
    best, chosen = found["discriminates"]["overall"], to_report(found)
    if chosen is None:
        part = next(part for part in study.parts if part.name == "ranking")
        yield Markup(
            "{}: on {} users no metric separates any of the {} {} of models, so none can be preferred. {}"
        ).format(
            *(bold("No metric can be recommended"), f"{part.facts['test_users']:,}", found["pairs"]),
            *("pair" if found["pairs"] == 1 else "pairs", "More test users would help, or models that differ more."),
        )
        return
    cut_off = found["discriminates"]["cut_off"]
    whose = "of those that see the top of the list, it" if cut_off and cut_off != best else "it"
    yield Markup(
        "Report {}: {} tells models apart best. It separates {} of {} pairs, and its p-values add up to {}{}."
    ).format(*(bold(name(chosen)), whose, chosen["separated"], found["pairs"], sum_of_p(chosen)), as_well(chosen))
    if chosen is not best and name(chosen) != name(best):
        yield Markup("Over whole rankings it is {}: {} pairs, {}{}.").format(
            bold(name(best)), best["separated"], sum_of_p(best), as_well(best)
        )


def on_robustness(robust: Mapping[str, Any]) -> Iterator[str]:
    """Which metric keeps the order of the models best, per bias; none where there is no order to keep."""
    kept = [
        Markup("{} where {} (mean tau {:.3f}{})").format(
            bold(name(best)), MISSING[bias], best["tau"], f"; equalled by {best['equals']} more" * bool(best["equals"])
        )
        for bias, best in ((bias, of["overall"]) for bias, of in robust.items())
        if best
    ]
    if kept:
        yield Markup("The order of the models is kept best by {}.").format(Markup(", and by ").join(kept))
    lost = [MISSING[bias] for bias, of in robust.items() if not of["overall"]]
    if lost:
        yield f"Where {', or where '.join(lost)}, all models are equal under every metric: there is no order to keep."


def to_report(found: Mapping[str, Any]) -> dict[str, Any] | None:
    """The metric that tells models apart best, of those with a cut-off if one separates any pair; None if none does."""
    return found["discriminates"]["cut_off"] or found["discriminates"]["overall"]


def as_well(metric: Mapping[str, Any]) -> str:
    others = metric["equals"]
    return f" ({others} other metric{' does' if others == 1 else 's do'} as well)" if others else ""


def on_models(study: OpenStudy, found: Mapping[str, Any] | None) -> Iterator[str]:
    part = next((part for part in study.parts if part.name == "ranking"), study.parts[0] if study.parts else None)
    if part is None:
        yield "The study selects no part that ranks items."
        return
    yield leading_sentence(part)
    if len(part.models) > 1:
        yield separated_sentence(part)
    if found is not None:
        yield inseparable(found["inseparable"])


def inseparable(pairs: Sequence[Sequence[str]]) -> Markup:
    if not pairs:
        return Markup("Every pair of models is separated by at least one metric.")
    shown = Markup("; ").join(Markup("{} and {}").format(*map(bold, pair)) for pair in pairs[:SHOWN])
    rest = f", and {len(pairs) - SHOWN} more pairs" if len(pairs) > SHOWN else ""
    return Markup("No metric separates {}{}: treat them as equal here.").format(shown, rest)


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
        text = "{}: with {} sampled negatives and no correction, so many orders would have been reversed: {} ({})."
        rest_on = "pairs of models under every metric and cut-off"
        yield Markup(text).format(verdict, found["negatives"], ", ".join(counts), rest_on)
        yield from believed(part, next(iter(found["samplers"])))
    if found:
        best = found["estimator"]
        others = best["equals"]
        alike = f" ({others} other estimator{' gets' if others == 1 else 's get'} as many)" if others else ""
        if best["name"] == UNCORRECTED:
            right = percent(best["right"])
            yield f"No correction that was tried orders the models better than none does ({right} of the orders right)."
        else:
            yield Markup("Who must sample should use {}, which gets {} of the orders right{}.").format(
                bold(best["name"]), percent(best["right"]), alike
            )


def name(metric: Mapping[str, Any] | None) -> str | None:
    """What a metric of the verdict is called, None where there is none."""
    return f"{metric['metric']}@{metric['k']}" if metric else None


def sum_of_p(metric: Mapping[str, Any]) -> str:
    return f"{metric['dp']:.3g}"
