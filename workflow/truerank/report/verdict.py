"""The answer in plain sentences: who leads, by how much, and how surely."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
from markupsafe import Markup

from truerank.report.block import Block, Folded, Prose, bold, in_cell, named
from truerank.report.grouped import ALPHA, alike, n_separated
from truerank.report.standings import DIGITS, INTERVAL
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table

FEW = 3
GROUPS = 4
NOBODY = {"model": None, "value": None, "ci_low": None, "ci_high": None}
WORST_FIRST = ("yes", "unknown", "no")  # of whether intervals overlap


def verdict(study: OpenStudy) -> Block:
    """Per part who leads, how surely, and whether the metrics agree on it; the first two models on every metric."""
    answers: list[Block] = [Prose(opening(part) + Markup(" ").join(leading_sentences(part))) for part in study.parts]
    if any(len(part.models) > 1 for part in study.parts):
        answers.append(leaders_table(study))
    return Folded("Who leads by which metric, and is it significant", *answers)


def opening(part: Part) -> Markup:
    several = len(part.study.parts) > 1
    return Markup("{} part, split {}: ").format(part.name.capitalize(), part.split) if several else Markup("")


def leading_sentences(part: Part) -> Iterator[str]:
    """Who leads on the headline metric, then on which others."""
    yield leading_sentence(part)
    if len(part.models) == 1:
        return
    won: dict[tuple[str, ...], list[str]] = {}
    for metric, k in part.verdicts:
        won.setdefault(tuple(part.leaders(metric, k)), []).append(f"{metric}@{k}")
    undefined = won.pop((), [])
    everywhere = [model for model in next(iter(won), ()) if all(model in leaders for leaders in won)]
    if not everywhere and won:
        phrases = [Markup("{} on {}").format(named(leaders), few(names)) for leaders, names in won.items()]
        yield Markup("Metrics disagree about the leader: {}.").format(Markup("; ").join(phrases))
    elif sum(map(len, won.values())) > 1:
        yield first_everywhere(everywhere, won)
    if undefined:
        yield f"No model has a value on {few(undefined)}."


def first_everywhere(models: Sequence[str], won: Mapping[tuple[str, ...], list[str]]) -> Markup:
    """Who is first on all metrics, and on how many only together with others. won : leaders -> metrics."""
    shared = [name for leaders, names in won.items() if len(leaders) > len(models) for name in names]
    place = Markup("is first") if len(models) == 1 else Markup("share the first place")
    others = f", level with others on {few(shared)}" if shared else ""
    return Markup("{} {} on all {} metrics of its ranking{}.").format(
        named(models), place, sum(map(len, won.values())), others
    )


def leading_sentence(part: Part) -> Markup:
    """Who leads on the headline metric, by how much, and how surely."""
    metric, k = part.headlines[0]
    rows = part.standings(metric, k)
    first = rows.iloc[0]
    result = f"{metric}@{k} of {with_interval(first)}"
    if len(rows) == 1:
        return Markup("{} is the only model, with {}: nothing to compare.").format(bold(first["model"]), result)
    leaders = part.leaders(metric, k)
    if not leaders:
        return Markup("No model has a value of {}: no user has a test item that it counts as relevant.").format(
            f"{metric}@{k}"
        )
    if len(leaders) > 1:
        return Markup("{} share the lead of {} models with {}.").format(named(leaders), len(rows), result)
    second = rows.iloc[1]
    return Markup("{} leads {} models with {}, ahead of {} with {}. {}").format(
        *(bold(first["model"]), len(rows), result),
        *(bold(second["model"]), with_interval(second), how_sure(paired(part, metric, k, first, second))),
    )


def separated_sentence(part: Part) -> Markup:
    """How many pairs the headline metric tells apart, and which models it does not."""
    metric, k = part.headlines[0]
    apart, pairs = n_separated(part, metric, k)
    if not pairs:
        return Markup("No pair was tested under {}.").format(f"{metric}@{k}")
    sentence = Markup("By {}, {} of {} pairs differ").format(f"{metric}@{k}", apart, pairs)
    tied = [group for group in alike(part, metric, k) if len(group) > 1]
    if not tied:
        return sentence + "."
    if max(map(len, tied)) > FEW and len(tied) > 1:
        letters = "the letters of the leaderboard show them"
        return Markup("{}; models form {} groups without a significant difference: {}.").format(
            sentence, len(tied), letters
        )
    listed = Markup("; ").join(Markup(", ").join(map(bold, group)) for group in tied[:GROUPS])
    rest = f"; and {len(tied) - GROUPS} more groups" if len(tied) > GROUPS else ""
    return Markup("{}; no significant difference: {}{}.").format(sentence, listed, rest)


def paired(part: Part, metric: str, k: str, first: Mapping[str, Any], second: Mapping[str, Any]) -> float | None:
    """The Holm-adjusted p-value of a pair, None where it was not tested."""
    return part.p_values.get((metric, k, frozenset((first["model"], second["model"]))))


def how_sure(p_value: float | None) -> str:
    """What a paired test says of the lead; intervals may overlap where the users of a pair still agree."""
    if p_value is None:
        return "The pair was not tested."
    holds = "the lead is significant" if p_value < ALPHA else "the lead is not significant, so treat the pair as tied"
    return f"A paired test gives p = {p_value:.2g} after adjustment for all pairs: {holds}."


def few(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= FEW else f"{len(names)} metrics"


def leaders_table(study: OpenStudy) -> Table:
    """The first two models on every metric, the paired test between them, and whether their intervals overlap."""
    rows = []
    for part in study.parts:
        for metric, k in part.verdicts if len(part.models) > 1 else ():
            rows.append([part.name, f"{metric}@{k}", *first_and_next(part, metric, k)])
    names = ["part", "metric", "leader", "value", "runner-up", "its value", "p, Holm", "intervals overlap"]
    frame = pd.DataFrame(rows, columns=names)
    if frame["part"].nunique() == 1:
        frame = frame.drop(columns="part")
    columns = [Column(name, digits=DIGITS if "value" in name or name == "p, Holm" else None) for name in frame.columns]
    caption = (
        "The first two models on each metric of the ranking; if several are first, the one with the largest p-value"
    )
    return Table("leaders", frame, caption, columns)


def first_and_next(part: Part, metric: str, k: str) -> list:
    """The leaders, their value, who comes next with its value, the largest p between them, and whether any overlap."""
    leaders = part.leaders(metric, k)
    rows = [*part.standings(metric, k).dropna(subset="value").to_dict("records"), NOBODY, NOBODY]
    first, behind = rows[: max(len(leaders), 1)], rows[max(len(leaders), 1)]
    p_values = [paired(part, metric, k, one, behind) for one in first]
    largest = None if None in p_values else max(p_values)  # type: ignore[type-var]  # none is None
    overlaps = [overlap(one, behind) for one in first]
    return [
        *(in_cell(leaders), first[0]["value"], behind["model"], behind["value"]),
        *(largest, next(sentence for sentence in WORST_FIRST if sentence in overlaps)),
    ]


def overlap(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """Whether two intervals have a value in common: yes, no, or unknown where one is missing."""
    edges = [row[edge] for row in (first, second) for edge in ("ci_low", "ci_high")]
    if pd.isna(edges).any():
        return "unknown"
    return "yes" if edges[0] <= edges[3] and edges[2] <= edges[1] else "no"


def with_interval(row: Mapping[str, Any]) -> str:
    value, low, high = (f"{row[key]:.{DIGITS}f}" for key in ("value", "ci_low", "ci_high"))
    return value if pd.isna(row["ci_low"]) else f"{value} ({INTERVAL} {low} to {high})"
