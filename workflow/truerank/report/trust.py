"""Which metric can be trusted on this data, in plain sentences, from the verdict that the workflow computed."""

from markupsafe import Markup

from truerank.report.block import Prose, bold
from truerank.report.data import percent

MISSING = {
    "sparsity": "test ratings are missing at random",
    "popularity": "those of the most popular items are missing",
}
SHOWN = 6


def trust(study):
    """The answer about the metrics: what discriminates, what is robust, what nothing separates, what sampling does."""
    found = study.verdict
    sentences = [*on_metrics(study, found["metrics"]), *on_sampling(found["sampling"])]
    return Prose(Markup(" ").join(sentences), kind="lead")


def on_metrics(study, found):
    if found is None:
        part = next((part for part in study.parts if part.name == "ranking"), None)
        if part is None:
            yield Markup("The study has no ranking part, so no metric was put on trial.")
        else:
            yield Markup(
                "With one model there is no order to keep and no pair to tell apart: no metric was put on trial."
            )
        return
    best, cut_off = found["discriminates"]["overall"], found["discriminates"]["cut_off"]
    yield Markup("{} tells models apart best: it separates {} of {} pairs, and its p-values add up to {}{}.").format(
        *(bold(name(best)), best["separated"], found["pairs"], sum_of_p(best)),
        f" (as do those of {best['equals']} other metric{'s' * (best['equals'] > 1)})" if best["equals"] else "",
    )
    if cut_off and name(cut_off) != name(best):
        yield Markup("Among metrics of the top of the list it is {}: {} pairs, {}.").format(
            bold(name(cut_off)), cut_off["separated"], sum_of_p(cut_off)
        )
    robust = [
        Markup("{} where {} (mean tau {:.3f})").format(bold(name(of["overall"])), MISSING[bias], of["overall"]["tau"])
        for bias, of in found["robust"].items()
    ]
    if robust:
        yield Markup("The order of the models is kept best by {}.").format(Markup(", and by ").join(robust))
    yield inseparable(found["inseparable"])


def inseparable(pairs):
    if not pairs:
        return Markup("Every pair of models is separated by at least one metric.")
    shown = Markup("; ").join(Markup("{} and {}").format(*map(bold, pair)) for pair in pairs[:SHOWN])
    rest = f", and {len(pairs) - SHOWN} more pairs" if len(pairs) > SHOWN else ""
    return Markup("No metric separates {}{}: treat them as equal here.").format(shown, rest)


def on_sampling(found):
    if found:
        counts = found["negatives"], found["reversed"], found["orders"]
        rest_on = f"pairs of models under every metric and cut-off, by {' and '.join(found['samplers'])}"
        yield Markup(
            "With {} sampled negatives and no correction, {} of {} orders would have been reversed ({})."
        ).format(*counts, rest_on)
        best = found["estimator"]
        yield Markup("Who must sample should use {}, which gets {} of the orders right.").format(
            bold(best["name"]), percent(best["right"])
        )


def name(metric):
    return f"{metric['metric']}@{metric['k']}"


def sum_of_p(metric):
    return f"{metric['dp']:.3g}"
