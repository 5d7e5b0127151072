"""A study of the user's own file, written down with what was guessed."""

import argparse
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from truerank.errors import UserError

if TYPE_CHECKING:
    from truerank.datasets._core.guessing import Guess

ABOUT = "write a commented study for a file of ratings; detects columns and scale, never overwrites a file"
MOST_ITEMS = 20_000  # of a catalogue for which EASE inverts a matrix without a second thought
FEWEST_ITEMS = 200  # of a catalogue from which 100 items can be sampled
PLAIN = re.compile(r"[A-Za-z_][\w-]*")
TAKEN = {"index"}  # no dataset may have it


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("ratings", help="file of interactions: CSV, TSV, other delimited text, Parquet, JSON, qrels")
    command.add_argument("--to", metavar="FILE", default="my.yaml", help="file to write (%(default)s)")
    about = "columns that are not detected, separated by commas: user=..,item=..,rating=..,timestamp=.."
    command.add_argument("--columns", metavar="ROLE=NAME,..", help=about)


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield what was guessed, and how to go on."""
    import yaml

    from truerank.config.checks import check_config
    from truerank.config.merging import merged
    from truerank.datasets._core.guessing import guess

    if os.path.lexists(choices.to):
        raise UserError(f"{choices.to} exists already and is not overwritten; give another file after --to")
    found = guess(choices.ratings, given_columns(choices.columns))
    text = study_text(choices.ratings, found)
    check_config(*merged(yaml.safe_load(text)))
    try:
        with open(choices.to, "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as failure:
        reason = (failure.strerror or str(failure)).lower()
        raise UserError(f"{choices.to} cannot be written: {reason}; give another file after --to") from None
    yield from lines_about(choices.ratings, found)
    yield f"written to {choices.to}; correct what is wrong in it, then: truerank run {choices.to}"


def given_columns(text: str | None) -> dict[str, str]:
    """Return role -> name from ``user=customer_id,item=sku``."""
    from truerank.datasets._core.reading import ROLES

    pairs = [part.partition("=") for part in (text or "").split(",") if part]
    for role, equals, name in pairs:
        if role not in ROLES or not equals or not name:
            wanted = f"expected ROLE=NAME with a role of {', '.join(ROLES)}"
            raise UserError(f"--columns has {role + equals + name!r}, {wanted}; correct it")
    return {role: name for role, _, name in pairs}


def lines_about(path: str, found: "Guess") -> Iterator[str]:
    """Yield what was guessed, a line each."""
    rows = found.rows
    users, items = len(rows.users["id"]), len(rows.items["id"])
    yield f"{path}: {len(rows):,} rows, {users:,} users, {items:,} items"
    yield f"format     {found.format}{'' if found.header or found.columns is None else ', no header'}"
    if found.columns:
        yield f"columns    {', '.join(f'{role} {column}' for role, column in found.columns.items())}"
    if found.scale is None:
        yield f"implicit   every row counts the same: {found.why_implicit}"
    else:
        low, high = found.scale
        yield f"explicit   ratings from {low:g} to {high:g}; relevant from {found.threshold:g}"
    if found.missing_rating is not None:
        yield f"no rating  {found.missing_rating:g} means no rating: such rows are left out"
    if repeats(found):
        yield f"repeated   {repeats(found):,} rows repeat a pair of user and item: the last one counts"
    if not found.has_times:
        yield "no times   what is held out is chosen at random"


def repeats(found: "Guess") -> int:
    """Return how many rows repeat a pair."""
    import numpy as np

    return len(found.rows) - len(np.unique(found.rows.pair))


def study_text(path: str, found: "Guess") -> str:
    """Return the study as YAML, a comment for every key."""
    name = re.sub(r"[^\w-]+", "-", Path(path).name.partition(".")[0]).strip("-_") or "mine"
    name = f"{name}-data" if name in TAKEN else name[:40]
    return "".join(f"{line}\n" for line in lines(path, name, found))


def lines(path: str, name: str, found: "Guess") -> Iterator[str]:
    small = len(found.rows.items["id"]) <= MOST_ITEMS
    models = ["popularity", "item_cf_y", "ials", *(["ease"] if small else [])]
    yield f"# A study of {path}, guessed by `truerank init`. Run it with: truerank run FILE"
    yield "# What can stand here: truerank list metrics (or models, splits, samplers, estimators, datasets)"
    yield ""
    yield "datasets:"
    yield f"  {scalar(name)}:"
    yield "    source: file"
    yield f"    path: {scalar(path)} # relative to the folder that the study runs in"
    if found.columns:
        yield f"    format: {found.format} # or auto, which looks at the file again"
        if found.format != "parquet" and not found.header:
            yield "    header: false # columns are numbers, from 0"
        used = {role: of for role, of in found.columns.items() if role != "rating" or found.scale}
        yield f"    columns: {{{', '.join(f'{role}: {scalar(of)}' for role, of in used.items())}}}"
        if "rating" in found.columns and not found.scale:
            yield f"    # no rating: {found.why_implicit}"
    if found.scale:
        yield f"    scale: [{found.scale[0]:g}, {found.scale[1]:g}] # lowest and highest possible rating"
    if found.missing_rating is not None:
        yield f"    missing_rating: {found.missing_rating:g} # means no rating: such rows are left out"
    if repeats(found):
        yield "    duplicates: last # rows that repeat a pair of user and item: or first, mean, max, error"
    yield ""
    if found.scale:
        yield f"relevance: {{threshold: {found.threshold:g}}} # a test rating of at least this is relevant"
        yield ""
    yield "select:"
    yield f"  datasets: [{scalar(name)}]"
    yield ""
    yield "  # Which metric can be trusted on this data, and which model leads by it?"
    yield "  ranking:"
    yield "    split: holdout # a fifth of each user's rows, at random; time_cut holds out the last fifth in time"
    yield f"    models: [random, {', '.join(models)}]"
    yield "    metrics: [precision, recall, hit, ndcg, ap, rr, auc]"
    yield "    cutoffs: [5, 10, 20, 100]"
    if len(found.rows.items["id"]) < FEWEST_ITEMS:
        return
    yield ""
    yield "  # What would a metric on sampled items have been on all of them? Remove this part if you do not need it."
    yield "  sampling:"
    yield f"    split: {'last_one' if found.has_times else 'holdout'} # what is held out"
    if found.scale and found.has_times:
        yield "    relevance: {threshold: " + f"{found.scale[0]:g}" + "} # every held-out item counts"
    yield f"    models: [{', '.join(models)}]"
    yield "    metrics: [recall, ndcg_binary, ap, auc]"
    yield "    cutoffs: [1, 5, 10, 20]"
    yield "    samplers: [uniform_100] # 100 negatives each"
    yield "    estimators: [uncorrected, monotone_mle, mn_mes]"


def scalar(value: str | int) -> str:
    """Return a name or number as YAML has it, in quotes where it needs them."""
    import yaml

    text = str(value)
    is_plain = isinstance(value, int) or (PLAIN.fullmatch(text) and yaml.safe_load(text) == text)
    return text if is_plain else json.dumps(text, ensure_ascii=False)
