"""Training and test rows of an informed evaluation, as codes."""

from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

import numpy as np
import pandas as pd

from truerank.artefacts.split import TestRows
from truerank.errors import UserError
from truerank.models._core.base import Train


@dataclass(frozen=True)
class Coded:
    """Rows as codes, and the ids that the codes stand for."""

    history: Train
    test: TestRows
    users: np.ndarray
    items: np.ndarray


def coded(train: Any, test: Any, items: Any = None) -> Coded:
    """Return training and test rows as codes; ids are numbered in their order, or in that of the ids in ``items``."""
    history, held_out = frame(train, "train"), frame(test, "test")
    if not len(held_out):
        raise UserError("test has no row, expected one for each item held out; give some")
    users = np.unique(np.concatenate([history["user"], held_out["user"]]))
    found = np.unique(np.concatenate([history["item"], held_out["item"]]))
    catalogue = found if items is None else declared(items, found)
    place = pd.Series(np.arange(len(catalogue)), catalogue)
    user, item = (np.searchsorted(users, each["user"]) for each in (history, held_out))
    rows = Train(user, place[history["item"]].to_numpy(), len(users), len(catalogue), ratings(history))
    code = place[held_out["item"]].to_numpy()
    order = np.lexsort((code, item))
    rating = ratings(held_out)
    rating = np.full(len(order), np.nan) if rating is None else rating
    return Coded(rows, TestRows(item[order], code[order], rating[order]), users, catalogue)


def frame(rows: Any, name: str) -> pd.DataFrame:
    if isinstance(rows, str | Path):
        rows = pd.read_csv(rows)
    rows = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(rows)
    if not {"user", "item"} <= set(rows.columns):
        raise UserError(f"{name} has the columns {list(rows.columns)}, expected user and item; rename them")
    return rows.drop_duplicates(["user", "item"])


def ratings(rows: pd.DataFrame) -> np.ndarray | None:
    return rows["rating"].to_numpy(float) if "rating" in rows.columns else None


def declared(items: Any, found: np.ndarray) -> np.ndarray:
    """Return the declared catalogue, which has to have all items of the rows."""
    if isinstance(items, int | np.integer):
        if items != len(found):
            raise UserError(
                f"items is {items:,}, and train and test have {len(found):,}; a scorer is asked by id, give the ids"
            )
        return found
    ids = np.asarray(list(items))
    missing = np.setdiff1d(found, ids)
    if len(missing):
        raise UserError(f"items lacks {shortened(missing[0])}, which train or test has; add it")
    return ids
