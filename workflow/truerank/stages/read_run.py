"""Read what a system outside recommends, in the codes of the dataset."""

import logging

import numpy as np

from truerank.datasets.reading import Layout
from truerank.datasets.reading.run import RunFile
from truerank.errors import UserError
from truerank.models.run import run_path
from truerank.stages.files import read_columns

log = logging.getLogger(__name__)


def read_run(run, users, items, names):
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


def codes(ids, table):
    """Return the code of each id in a table of the dataset, -1 if it has none."""
    code = {name: number for number, name in zip(*read_columns(table, "code", "id"), strict=True)}
    return np.array([code.get(name, -1) for name in ids], np.int64)


def distinct(user, score):
    """Return scores as float32; of a user's scores that differ and would not any more, the lower ones are lowered."""
    order = np.lexsort((-score, user))
    exact, rounded = score[order], score[order].astype(np.float32)
    same = np.append(False, np.diff(user[order]) == 0)
    lower = same & np.append(False, np.diff(exact) < 0)
    lost = lower & np.append(False, np.diff(rounded) == 0)
    for row in np.flatnonzero(same & np.isin(user[order], user[order][lost])):
        above = rounded[row - 1]
        rounded[row] = min(rounded[row], np.nextafter(above, np.float32(-np.inf)) if lower[row] else above)
    result = np.empty_like(rounded)
    result[order] = rounded
    return result
