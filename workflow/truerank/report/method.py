"""How the numbers were made and how to make them again."""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd
import yaml
from markupsafe import Markup

from truerank.metrics._core.gains import gain_shift
from truerank.registry import METRICS, MODELS, Definitions, Registry
from truerank.report.block import Block, Blocks, Folded, Listing, Prose
from truerank.report.standings import INTERVAL, UNDEFINED
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Table

TIES = {
    "random": "broken at random, in an order given by the seed",
    "optimistic": "decided in favour of the test item",
    "pessimistic": "decided against the test item",
}
CANDIDATES = {
    "unseen": "all items of the catalogue except the user’s training items",
    "all": "all items of the catalogue, including the user’s training items",
    "tested": "the items in the test rows of any user, except the user’s training items",
}
INTERVALS = (
    f"The {INTERVAL} of a mean is Student’s t interval over users, widened for skew and for values that a small "
    "sample of users may miss."
)


def protocol(study: OpenStudy) -> Block:
    """The protocol in a few sentences, from the config."""
    config = study.config
    relevant = "; ".join(f"relevant in the {part.name} part is {part.relevant_in_words}" for part in study.parts)
    ties = config.get("ties", "random")
    undefined = config.get("undefined_users", "zero")
    return Prose(
        f"{candidate_sentence(study)}; every candidate is scored, so ranks are exact. {relevant.capitalize()}. "
        f"Ties in score are {TIES.get(ties, ties)}. A metric is computed per user and averaged last; "
        f"users for whom it is undefined {UNDEFINED.get(undefined, undefined)}.",
        *gain_sentences(study),
        INTERVALS,
    )


def candidate_sentence(study: OpenStudy) -> str:
    """Which items are ranked, said once where all parts have the same rule."""
    rules = {part.name: CANDIDATES[part.candidates] for part in study.parts}
    if len(set(rules.values())) == 1:
        return f"The candidates of a user are {next(iter(rules.values()))}"
    text = "; ".join(f"in the {name} part {rule}" for name, rule in rules.items())
    return f"The candidates of a user are, {text}"


def gain_sentences(study: OpenStudy) -> Iterator[str]:
    """By how much graded gains are shifted, where ratings go below 0."""
    scale = study.facts.get("rating_scale")
    graded = dict.fromkeys(metric for part in study.parts for metric in part.metrics if has_graded_gain(part, metric))
    if scale and gain_shift(scale) and graded:
        yield (
            f"Ratings go down to {scale[0]:g}, so {gain_shift(scale):g} is added to each to get the gain of "
            f"{', '.join(graded)}: no gain is below 0."
        )


def has_graded_gain(part: Part, metric: str) -> bool:
    definition = part.definition(metric)
    binary = definition.get("gain") == "binary" or definition.get("relevance", part.relevance).get("binary")
    return "gain" in METRICS.of(definition).settings and not binary


def models(study: OpenStudy) -> Block:
    """The selected models with what they are and their settings."""
    names = dict.fromkeys(name for part in study.parts for name in part.models)
    return definitions("models", MODELS, names, study.config.get("models", {}), "The models")


def metrics(study: OpenStudy) -> Block:
    """The selected metrics with what they measure and their settings."""
    names = dict.fromkeys(name for part in study.parts for name in part.metrics)
    return definitions("metric_definitions", METRICS, names, study.config.get("metrics", {}), "The metrics")


def definitions(name: str, registry: Registry, names: Iterable[str], defined: Definitions, caption: str) -> Table:
    rows = []
    for variant in names:
        definition = defined.get(variant, registry.named(variant))
        listed = ", ".join(f"{key}: {value}" for key, value in registry.settings_of(definition).items()) or "defaults"
        rows.append([variant, registry.of(definition).sentence, listed])
    return Table(name, pd.DataFrame(rows, columns=["name", "what it is", "settings"]), caption)


def provenance(study: OpenStudy) -> Block:
    """Seed, commit, data checksum, versions, the command that makes this page again, and the whole config."""
    return Blocks(
        *provenance_of(study.config, study.provenance, f"results/report/{study.dataset}.html"),
        Prose(Markup("Checksum of the data: <code>{}</code>.").format(study.facts.get("checksum", "not recorded"))),
    )


def provenance_of(config: Mapping[str, Any], provenance: Mapping[str, Any], target: str) -> Iterator[Block]:
    """The blocks of provenance that a dataset's page and the index have in common."""
    commit = provenance.get("commit") or "unknown"
    command = f".venv/bin/snakemake --cores all --configfile study.yaml {shlex.quote(target)}"
    text = Markup(
        "Seed <code>{}</code>, commit <code>{}</code>. To reproduce this page, check out that commit, save the "
        "configuration as study.yaml, and run:"
    )
    yield Prose(text.format(config.get("seed", "not set"), commit))
    yield Listing(f"make env && {command}")
    yield Folded("Configuration (study.yaml)", Listing(yaml.safe_dump(config, sort_keys=False, allow_unicode=True)))
    versions = pd.DataFrame(sorted(provenance.get("versions", {}).items()), columns=["package", "version"])
    if len(versions):
        yield Folded("Package versions", Table("versions", versions, "Versions of the packages used"))
