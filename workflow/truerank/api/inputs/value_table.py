"""Values of users under metrics, as people have them: a row per model and user, a column per metric and cut-off."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from truerank.api.inputs.ids import Ids
from truerank.cli_input import whole_number
from truerank.errors import UserError

KEYS = ("model", "user")


@dataclass(frozen=True)
class ValueTable:
    """What a table of values has. users : their ids, coded in order. columns : ``metric@k`` -> users x models, NaN
    where undefined."""

    name: str
    models: tuple[str, ...]
    users: Ids
    columns: dict[str, np.ndarray]


def read_value_table(given: Any) -> ValueTable:
    """Read per-user values: a path to CSV, TSV or Parquet, a data frame, Arrow, or a result that has ``per_user``."""
    frame, name = as_frame(getattr(given, "per_user", given), "per_user")
    metrics = metric_columns(frame, name)
    for key in KEYS:
        check_known(frame[key], key, name)
    users = Ids()
    user = users.encode(ids_of(frame["user"]))
    user = users.sort()[user]
    model, models = pd.factorize(frame["model"].astype(str))
    if len(models) < 2:
        problem = f"{name} has one model, {shortened(models[0])}" if len(models) else f"{name} has no rows"
        raise UserError(f"{problem}, expected the values of two or more models; add another model")
    place = np.full((users.n, len(models)), -1)
    check_once(frame, model, user, models, users, name)
    place[user, model] = np.arange(len(frame))
    check_complete(place, models, users, name)
    columns = {column: numbers(frame, column, name)[place] for column in metrics}
    if all(np.isnan(values).all() for values in columns.values()):
        raise UserError(f"{name} has no value but NaN, expected numbers in {few(metrics)}; give values that are known")
    return ValueTable(name, tuple(models), users, columns)


def as_frame(given: Any, name: str) -> tuple[pd.DataFrame, str]:
    """Return a table as a data frame, and what sentences call it."""
    if isinstance(given, str | os.PathLike):
        return read_frame(Path(given)), str(given)
    if isinstance(given, pd.DataFrame):
        return given, name
    if hasattr(given, "__arrow_c_stream__"):
        return pa.table(given).to_pandas(), name
    raise UserError(
        f"{name} is of type {type(given).__name__}, expected a path, a data frame or an Arrow table; give one of these"
    )


def read_frame(path: Path) -> pd.DataFrame:
    """Read a file; ids stay texts in delimited text."""
    kind = path.name.removesuffix(".gz").rpartition(".")[2].lower()
    try:
        if kind in ("parquet", "pq"):
            return pd.read_parquet(path)
        separator = "\t" if kind == "tsv" else ","
        return pd.read_csv(path, sep=separator, dtype=dict.fromkeys(("model", "user", "item"), str))
    except (OSError, ValueError) as failure:
        reason = getattr(failure, "strerror", None) or str(failure).partition("\n")[0]
        raise UserError(f"{path} cannot be read ({reason}); give a file in CSV, TSV or Parquet") from None


def metric_columns(frame: pd.DataFrame, name: str) -> list[str]:
    """Return the columns of metrics, which are all but model and user."""
    names = [str(column) for column in frame.columns]
    there = f"{name} has the columns {few(names) or 'none'}"
    for key in KEYS:
        if key not in names:
            raise UserError(f"{there}, expected {key!r} among them; rename the one that has it")
    twice = next((column for column in names if names.count(column) > 1), None)
    if twice:
        raise UserError(f"{name} has two columns {twice!r}, expected one; rename or delete the other")
    metrics = [column for column in names if column not in KEYS]
    if not metrics:
        raise UserError(f"{there}, expected a column per metric beside model and user, such as 'ndcg@10'; add one")
    for column in metrics:
        metric, at, k = column.rpartition("@")
        if not metric or not at or (k != "all" and not whole_number(k)):
            raise UserError(
                f"{name}, column {column!r}: expected a metric and its cut-off, such as 'ndcg@10' or 'auc@all'; rename "
                "the column, or leave it out"
            )
    return metrics


def ids_of(column: pd.Series) -> pa.Array:
    """Return ids as Arrow has them; those of several types are texts."""
    try:
        return pa.array(column)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([str(value) for value in column], pa.string())


def check_known(column: pd.Series, key: str, name: str) -> None:
    missing = column.isna().to_numpy()
    if missing.any():
        row = 1 + int(np.argmax(missing))
        raise UserError(f"{name}, row {row}: found no {key}, expected one; correct or delete the row")


def check_once(frame: pd.DataFrame, model: np.ndarray, user: np.ndarray, models: Any, users: Ids, name: str) -> None:
    """Refuse two rows of one user under one model."""
    twice = pd.Series(user.astype(np.int64) * len(models) + model).duplicated().to_numpy()
    if twice.any():
        row = int(np.argmax(twice))
        problem = f"found the user {users.name(user[row])!r} a second time under the model {models[model[row]]!r}"
        raise UserError(f"{name}, row {row + 1}: {problem}, expected one row of each; delete one")


def check_complete(place: np.ndarray, models: Any, users: Ids, name: str) -> None:
    """Refuse users whom a model lacks: leaving them out and counting them as 0 are two different questions."""
    absent = place < 0
    if absent.any():
        user, model = np.argwhere(absent)[0]
        raise UserError(
            f"{name}: {absent.any(axis=1).sum():,} of {users.n:,} users are not under every model, such as "
            f"{users.name(user)!r}, who is not under {models[model]!r}, expected the same users under each; leave them "
            "out of all, or give them the value 0 where they are missing"
        )


def numbers(frame: pd.DataFrame, column: str, name: str) -> np.ndarray:
    """Return a column as numbers, NaN where it is empty."""
    values = pd.to_numeric(frame[column], errors="coerce").to_numpy(float, na_value=np.nan)
    wrong = (np.isnan(values) & frame[column].notna().to_numpy()) | np.isinf(values)
    wrong &= ~frame[column].astype(str).str.lower().eq("nan").to_numpy()
    if wrong.any():
        row = int(np.argmax(wrong))
        value = frame[column].iloc[row]
        found = shortened(value.item() if hasattr(value, "item") else value)
        raise UserError(f"{name}, row {row + 1}: found {found} in {column!r}, expected a finite number; correct it")
    return values


def few(names: Iterable[str], most: int = 6) -> str:
    """List some names, and how many more there are."""
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
