"""Read what a system outside recommends, in the codes of the dataset."""

import logging
from collections.abc import Sequence

import numpy as np

from truerank.artefacts.files import read_columns
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.reading.run import RunFile
from truerank.errors import UserError
from truerank.models.run import Run, run_path
from truerank.provenance import PathLike

log = logging.getLogger(__name__)
APART = 1 << 34  # more than there are float32 numbers and rows of a user, so that no user's scores bound another's


def read_run(
    run: Run, users_path: PathLike, items_path: PathLike, names: tuple[str, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the codes of users and items that a run lists, and float32 scores that keep the order of its scores.

    run : the ``Run`` model. users_path, items_path : tables of code and id. names : dataset, split and model. Ids that
    the dataset does not have are numbered on from its own.
    """
    file = RunFile(run_path(run.path, *names[:2]), Layout(run.columns, run.format, run.header, run.encoding))
    if run.columns is not None and file.kind in file.known:
        problem = f"is given, but those of {file.path} ({file.kind}) are known; leave it out"
        raise UserError(f"models.{names[-1]}.columns {problem}")
    user, item, score, user_ids, item_ids = file.read()
    (user_code, n_users), (item_code, n_items) = codes(user_ids, users_path), codes(item_ids, items_path)
    has_user, has_item = (user_code < n_users)[user], (item_code < n_items)[item]
    known = has_user & has_item
    if not known.all() and run.unknown == "error":
        row = np.argmin(known)
        own, its = user_ids[user[row]], item_ids[item[row]]
        what = f"the item {its!r}" if has_user[row] else f"the user {own!r}"
        raise UserError(
            f"{file.whereabouts(own, its)}: found {what}, which {names[0]} does not have, expected ids of the dataset; "
            f"correct the file, or set models.{names[-1]}.unknown to miss"
        )
    if not known.any():
        raise UserError(f"{file.path} has no row whose user and item {names[0]} has; check the ids")
    order = np.lexsort((-score, item, user))
    twice = has_user[order[1:]] & (np.diff(user[order]) == 0) & (np.diff(item[order]) == 0)
    if twice.any():
        row = order[np.argmax(twice)]
        own, its = user_ids[user[row]], item_ids[item[row]]
        raise UserError(
            f"{file.whereabouts(own, its, most=2)}: found the item {its!r} twice for the user {own!r}, expected once; "
            "delete one"
        )
    misses = (has_user & ~has_item).sum()
    log.info("%d rows, of which %d have a user who is unknown and are left out", len(user), (~has_user).sum())
    log.info(
        "%d of the other rows (%.3g %%) have an item that is unknown: it keeps its position as a miss",
        *(misses, 100 * misses / has_user.sum()),
    )
    return user_code[user], item_code[item], distinct(user, score)


def codes(ids: Sequence[str], table: PathLike) -> tuple[np.ndarray, int]:
    """Return the code of each id, and how many the table of the dataset has; ids that it lacks follow, sorted."""
    code = {name: number for number, name in zip(*read_columns(table, "code", "id"), strict=True)}
    n = len(code)
    for number, name in enumerate(sorted(set(ids) - code.keys()), start=n):
        code[name] = number
    return np.array([code[name] for name in ids], np.int64), n


def distinct(user: np.ndarray, score: np.ndarray) -> np.ndarray:
    """Return scores as float32; of a user's scores that differ and would not any more, the lower ones are lowered.

    Down a user's list, the number of a float32 among all of them is at most that of the one above, less 1 where the
    exact score is lower. With the count of these places added, that is a running minimum.
    """
    order = np.lexsort((-score, user))
    exact, rounded = score[order], score[order].astype(np.float32)
    begins = np.append(True, np.diff(user[order]) != 0)
    lower = ~begins & np.append(False, np.diff(exact) < 0)
    added = np.cumsum(lower) - np.cumsum(begins) * APART
    number = np.minimum.accumulate(number_of(rounded) + added) - added
    result = np.empty_like(rounded)
    result[order] = np.where(number < number_of(rounded), float_of(number), rounded)
    return result


def number_of(x: np.ndarray) -> np.ndarray:
    """Return the place of each float32 among all of them in order; 0 has 0, and its two signs are one."""
    bits = x.view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


def float_of(number: np.ndarray) -> np.ndarray:
    return np.where(number < 0, -number | 1 << 31, number).astype(np.uint32).view(np.float32)
