"""The names of metrics that people type: ``recall@10``, ``NDCG@5``, ``auc``, ``MAP``, ``hr@20``."""

from collections.abc import Iterable
from reprlib import repr as shortened
from typing import NamedTuple

from truerank.cli_input import whole_number
from truerank.errors import UserError
from truerank.registry import METRICS, Cutoff, Definitions, unknown

# What other tools call a metric of ours.
ALIASES = {
    "hr": "hit",
    "hit_rate": "hit",
    "hit_ratio": "hit",
    "map": "ap",
    "map_cut": "ap",
    "mrr": "rr",
    "recip_rank": "rr",
    "p": "precision",
    "r": "recall",
    "ndcg_cut": "ndcg",
}
WHOLE_LISTS = ("map", "mrr", "recip_rank")  # without a cut-off they mean @all
NONE: Definitions = {}


class Asked(NamedTuple):
    """A metric that was asked for. column : as results have it, ``metric@k``. note : what an alias stands for."""

    name: str
    k: Cutoff
    column: str
    note: str | None


def parse_metrics(texts: Iterable[str], variants: Definitions = NONE) -> list[Asked]:
    """Return what names like recall@10 stand for, one for each text, in order.

    Upper and lower case are alike where no metric has the very name. variants : definitions of other names. A metric
    that is no function of ranks is refused.
    """
    return [parse_metric(text, variants) for text in texts]


def parse_metric(text: str, variants: Definitions = NONE) -> Asked:
    """Return what one name stands for."""
    typed, at, k = text.partition("@")
    name, note = resolve_metric(typed, variants)
    entry = METRICS.of(variants.get(name, METRICS.named(name)))
    if entry.facts.needs != "ranks":
        raise UserError(f"metric {name!r} is not a function of ranks; choose another, such as recall@10")
    if not at and (not entry.has_cutoff or typed.lower() in WHOLE_LISTS):
        return Asked(name, "all", f"{name}@all", f"{note}@all" if note else None)
    cutoff = "all" if k == "all" else whole_number(k) if entry.has_cutoff else None
    if not cutoff:
        form = f"{name}@10 or {name}@all" if entry.has_cutoff else name
        raise UserError(f"metric {shortened(text)} cannot be read, expected {form}; correct it")
    return Asked(name, cutoff, f"{name}@{cutoff}", note)


def resolve_metric(typed: str, variants: Definitions = NONE) -> tuple[str, str | None]:
    """Return the name of a metric and, if it was asked for by an alias, what that stands for."""
    known = [*METRICS.entries, *variants]
    for name in (typed, typed.lower()):
        if name in known:
            return name, None
    alias = ALIASES.get(typed.lower())
    if alias is None:
        raise UserError(unknown("metric", typed, sorted(known)))
    return alias, f"{typed} is {alias}"
