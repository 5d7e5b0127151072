"""The first screen: three questions, each with a picture and one sentence."""

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from truerank.core.verdict_words import on_set
from truerank.report.block import Block, Blocks, Card, Cards, Prose, bold
from truerank.report.data import dataset_line, percent, split_line
from truerank.report.grouped import n_separated
from truerank.report.sampled import most_reversed
from truerank.report.standings import DIGITS
from truerank.report.study import OpenStudy, Part
from truerank.report.verdict import paired
from truerank.report.which_metric import metric_figure
from truerank.report.which_model import model_figure
from truerank.report.which_order import order_figure, reversed_pairs, sampled_orders, sampling_part

ONE_MODEL = "With one model there is no pair to compare, so no metric is better than another."


def first_screen(study: OpenStudy) -> Block:
    """Which metric, which model, can sampled numbers be believed: a picture and a sentence each."""
    part = main_part(study)
    lead = Prose(Markup(" ").join([dataset_line(study), *map(split_line, study.parts)]), kind="lead")
    if part is None:
        return Blocks(lead, Prose("The study selects no part that ranks items."))
    return Blocks(
        lead,
        Cards(
            Card("Which metric to report?", metric_sentence(study, part), metric_figure(part)),
            Card("Which model is best?", model_sentence(part), model_figure(part)),
            Card("Can sampled metrics be trusted?", sampling_sentence(study), order_figure(study)),
        ),
    )


def main_part(study: OpenStudy) -> Part | None:
    """The ranking part, or the first of those that there are."""
    return next((part for part in study.parts if part.name == "ranking"), study.parts[0] if study.parts else None)


def metric_sentence(study: OpenStudy, part: Part) -> str:
    found = study.verdict["metrics"]
    if part.name != "ranking":
        return "The study has no ranking part, so the metrics were not compared."
    return on_set(found, Markup, bold) if found else ONE_MODEL


def model_sentence(part: Part) -> str:
    """Who leads, by how much, and whether that is more than chance."""
    metric, k = part.headlines[0]
    rows, leaders = part.standings(metric, k), part.leaders(metric, k)
    name = f"{metric}@{k}"
    if not leaders:
        return f"No model has a value of {name}: no user has a test item that it counts as relevant."
    value = f"{rows['value'].iloc[0]:.{DIGITS}f}"
    if len(rows) == 1:
        return Markup("{} is the only model, with {} of {}.").format(bold(leaders[0]), name, value)
    if len(leaders) > 1:
        return Markup("{} and {} more share the lead with {} of {}.").format(
            bold(leaders[0]), len(leaders) - 1, name, value
        )
    first, second = rows.iloc[0], rows.iloc[1]
    p_value, (apart, pairs) = paired(part, metric, k, first, second), n_separated(part, metric, k)
    if p_value is None:
        lead = Markup("{} leads with {} of {}; the pair with {} was not tested.")
        return lead.format(bold(first["model"]), name, value, bold(second["model"]))
    if p_value < 0.05:
        lead = Markup("{} leads with {} of {}, significantly ahead of {} ({}).")
    else:
        lead = Markup("{} leads with {} of {}, not significantly ahead of {} ({}).")
    sentence = lead.format(bold(first["model"]), name, value, bold(second["model"]), p_in_words(p_value))
    return sentence + Markup(" {} of {} pairs differ.").format(apart, pairs) if pairs > 1 else sentence


def p_in_words(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.2g}"


def sampling_sentence(study: OpenStudy) -> str:
    """How many orders of models a sample of candidates reverses, and what correction does about it."""
    part, found = sampling_part(study), study.verdict["sampling"]
    if part is None:
        return "Nothing was sampled here: every number on this page is exact, from all candidates."
    if len(part.models) < 2:
        return "With one model there is no order that sampling could change."
    sampler = most_reversed(found)
    if sampler is None:
        return reversed_in_sample(part)
    turned, orders = (found["samplers"][sampler][key] for key in ("reversed", "orders"))
    verdict = bold("Not as they are" if turned else "Their order, yes")
    text = Markup("{}: {} sampled negatives reverse {} of {} orders{}.")
    return text.format(verdict, found["negatives"], turned, orders, corrected_in_words(found["estimator"]))


def corrected_in_words(best: Mapping[str, Any]) -> Markup:
    """What the best correction gets right; nothing where it is none."""
    if best["name"] == "uncorrected":
        return Markup("; no correction does better")
    return Markup("; {} gets {} of the orders right").format(bold(best["name"]), percent(best["right"]))


def reversed_in_sample(part: Part) -> str:
    orders = sampled_orders(part)
    if orders is None:
        return "No sampler was tried without correction; the sections on sampling show what was."
    pairs = len(orders) * (len(orders) - 1) // 2
    turned = len(reversed_pairs(orders.iloc[:, 0], orders.iloc[:, 1]))
    return f"On average over repeats, the sample reverses {turned} of {pairs} pairs of models."
