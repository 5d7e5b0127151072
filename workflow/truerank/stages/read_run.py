"""Read what a system outside recommends, in the codes of the dataset."""

import logging
from collections.abc import Iterable

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
    run: Run, users: PathLike, items: PathLike, names: tuple[str, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the codes of users and items that a run lists, and float32 scores that keep the order of its scores.

    run : the ``Run`` model. users, items : tables of code and id. names : dataset, split and model.
    """
    file = RunFile(run_path(run.path, *names[:2]), Layout(run.columns, run.format, run.header, run.encoding))
    if run.columns is not None and file.kind in file.known:
        told = f"is given, but those of {file.path} ({file.kind}) are known; leave it out"
        raise UserError(f"models.{names[-1]}.columns {told}")
    user, item, score, user_ids, item_ids = file.read()
    user_code, item_code = codes(user_ids, users)[user], codes(item_ids, items)[item]
    known = (user_code >= 0) & (item_code >= 0)
    if not known.all() and run.unknown == "error":
        row = np.argmin(known)
        own, its = user_ids[user[row]], item_ids[item[row]]
        what = f"the user {own!r}" if user_code[row] < 0 else f"the item {its!r}"
        raise UserError(
            f"{file.whereabouts(own, its)}: found {what}, which {names[0]} does not have, expected ids of the dataset; "
            f"correct the file, or set models.{names[-1]}.unknown to drop"
        )
    log.info("%d rows, of which %d have a user or item that is unknown and are dropped", len(user), (~known).sum())
    user, item, score = user_code[known], item_code[known], score[known]
    if not len(user):
        raise UserError(f"{file.path} has no row whose user and item {names[0]} has; check the ids")
    order = np.lexsort((-score, item, user))
    twice = (np.diff(user[order]) == 0) & (np.diff(item[order]) == 0)
    if twice.any():
        row = order[np.argmax(twice)]
        own, its = read_columns(users, "id")[0][user[row]], read_columns(items, "id")[0][item[row]]
        raise UserError(
            f"{file.whereabouts(own, its, most=2)}: found the item {its!r} twice for the user {own!r}, expected once; "
            "delete one"
        )
    return user, item, distinct(user, score)


def codes(ids: Iterable[str], table: PathLike) -> np.ndarray:
    """Return the code of each id in a table of the dataset, -1 if it has none."""
    code = {name: number for number, name in zip(*read_columns(table, "code", "id"), strict=True)}
    return np.array([code.get(name, -1) for name in ids], np.int64)


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
