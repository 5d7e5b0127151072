"""Ranks of test items in the order that a language model, or anybody, put the candidates it was shown in."""

from typing import Any

import numpy as np
import pandas as pd

from truerank.api.inputs.lists import list_roles
from truerank.api.inputs.sources import open_lists
from truerank.api.inputs.truth import Truth, read_truth
from truerank.api.ranks import SampledRanks
from truerank.errors import UserError


def ranks_of_answers(answers: Any, test: Any, items: Any, negatives: int) -> tuple[SampledRanks, int, list[str]]:
    """Return the rank of each test item among the listed ids that exist, the number of items, and what is to be told.

    answers : user, item, and rank or score, as ``tr.evaluate`` takes lists. items : the ids of the catalogue, or their
    number. Ids that do not exist, and those that were listed before, are left out and counted. A test item that is not
    listed comes last of all ``negatives`` + 1.
    """
    counted = isinstance(items, int | np.integer)
    truth = read_truth(test, None, None if counted else items)
    listed = listed_items(answers, truth, add=counted)
    n_rows = len(listed)
    known = listed[listed["item"] >= 0]
    once = known.drop_duplicates(["user", "item"])
    place = once.groupby("user").cumcount().to_numpy() + 1
    width = truth.items.n
    code = once["user"].to_numpy() * width + once["item"].to_numpy()
    order = np.argsort(code)
    wanted = truth.user.astype(np.int64) * width + truth.item
    at = np.minimum(np.searchsorted(code[order], wanted), max(len(code) - 1, 0))
    found = code[order][at] == wanted if len(code) else np.zeros(len(wanted), bool)
    rank = np.where(found, place[order][at] if len(code) else 0, negatives + 1)
    check_lengths(once, truth, negatives)
    notes = notes_on(
        n_rows, n_rows - len(known), len(known) - len(once), int((~found).sum()), negatives, truth, counted
    )
    several = truth.user if len(np.unique(truth.user)) < len(truth.user) else None
    return SampledRanks(rank, several), int(items) if counted else width, notes


def listed_items(answers: Any, truth: Truth, add: bool) -> pd.DataFrame:
    """Return codes of user and item in the order of each list; an id that does not exist is -1."""
    source = open_lists(answers, "answers")
    roles = list_roles(source, None)
    parts = []
    for batch in filter(None, source.batches(roles)):
        user, item = truth.users.encode(batch["user"], add=False), truth.items.encode(batch["item"], add=add)
        key = batch["rank"] if "rank" in batch else -batch["score"]
        parts.append(pd.DataFrame({"user": user.astype(np.int64), "item": item.astype(np.int64), "key": key}))
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame({"user": [], "item": [], "key": []}, int)
    table = table[table["user"] >= 0]
    if table.empty:
        raise UserError(f"{source.name} has no user of the test, expected lists of these; give the same ids")
    return table.sort_values(["user", "key"], kind="stable")


def check_lengths(once: pd.DataFrame, truth: Truth, negatives: int) -> None:
    """Refuse a list of more candidates than a test item and its negatives are."""
    counts = np.bincount(once["user"], minlength=truth.n_users)
    tests = np.bincount(truth.user, minlength=truth.n_users)
    most = int(np.argmax(counts - tests))
    if counts[most] > negatives + tests[most]:
        raise UserError(
            f"the list of user {truth.users.name(most)!r} has {counts[most]:,} different items, expected at most "
            f"{negatives + tests[most]:,}, the test items and {negatives:,} negatives; correct it or negatives"
        )


def notes_on(
    n_rows: int, n_unknown: int, n_again: int, n_absent: int, negatives: int, truth: Truth, counted: bool
) -> list[str]:
    """Return sentences on ids that do not exist, ids listed twice and test items that are not listed."""
    notes = list(truth.notes)
    if counted:
        notes.append("items is a number, so ids that do not exist cannot be detected; give the ids")
    else:
        notes.append(f"{n_unknown:,} of {n_rows:,} listed ids do not exist among the items and were left out")
    if n_again:
        notes.append(f"{n_again:,} of {n_rows:,} listed ids repeat one before and were left out")
    if n_absent:
        notes.append(
            f"{n_absent:,} of {len(truth.user):,} test items are not listed: they are taken as last, {negatives + 1:,}"
        )
    return notes
