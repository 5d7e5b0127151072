"""Exact ranks of test items under several models, as people have them: what robustness is measured from."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from truerank.api.inputs.ids import Ids
from truerank.api.inputs.sources import open_source
from truerank.api.inputs.truth import read_rows, relevance
from truerank.api.inputs.value_table import ValueTable, as_frame, check_known, few, ids_of
from truerank.artefacts.rank_table import Judgements, judgements, rank_of
from truerank.errors import UserError
from truerank.models._core.base import Train

FORM = "ranks by model, a folder of {model}.parquet, or one table with a column 'model'"


@dataclass(frozen=True)
class RankedModels:
    """The judgements of every model, of the same test rows; the item of each row; training users of each item, None
    without training rows; the lowest relevant rating."""

    models: list[Judgements]
    item: np.ndarray
    degree: np.ndarray | None
    relevant_from: float
    has_candidates: bool
    notes: tuple[str, ...]


def read_rank_tables(given: Any, values: ValueTable, train: Any, relevant_from: float | None) -> RankedModels:
    """Read the ranks of all models that ``values`` has. train : rows of user and item, None if not known."""
    frames = {model: frame for model, frame in by_model(given, values.models).items() if model in values.models}
    absent = [model for model in values.models if model not in frames]
    if absent:
        raise UserError(f"ranks has no model {few(map(repr, absent))}, which {values.name} has; give the ranks of all")
    items = Ids()
    tables = [table_of(frames[model], values, items, f"ranks of {model!r}") for model in values.models]
    item_code = items.sort()  # so that what is drawn does not depend on the order of rows
    tables = [in_order(table, item_code) for table in tables]
    first = tables[0]
    for model, table in zip(values.models, tables, strict=True):
        if not all(np.array_equal(first[key], table[key]) for key in ("user", "item")):
            problem = f"ranks of {model!r} and of {values.models[0]!r} have other test items"
            raise UserError(f"{problem}, expected the same users and items in each; give the ranks of one test set")
    if len(np.unique(first["user"])) < values.users.n:
        user = values.users.name(np.setdiff1d(np.arange(values.users.n), first["user"])[0])
        raise UserError(f"ranks has no row of the user {user!r}, whom {values.name} has; give the ranks of all users")
    lowest, note = relevance("ranks", first["rating"], relevant_from)
    history = read_history(train, values.users, items)
    scale = None if first["rating"] is None else (float(first["rating"].min()), float(first["rating"].max()))
    names = ("user", "rank", "candidates", "rating")
    rows = [
        judgements(**{name: table[name] for name in names}, prediction=None, history=history, scale=scale)
        for table in tables
    ]
    degree = None if train is None else history.degree
    known = all(table["known"] for table in tables)
    return RankedModels(rows, first["item"], degree, lowest or 0.0, known, (note,) if note else ())


def by_model(given: Any, models: tuple[str, ...]) -> dict[str, pd.DataFrame]:
    """Return the table of every model."""
    if isinstance(given, Mapping):
        return {str(model): as_frame(table, f"ranks[{model!r}]")[0] for model, table in given.items()}
    if isinstance(given, str | os.PathLike) and Path(given).is_dir():
        paths = {model: Path(given) / f"{model}.parquet" for model in models}
        return {model: as_frame(path, "ranks")[0] for model, path in paths.items() if path.is_file()}
    frame, name = as_frame(given, "ranks")
    if "model" not in frame.columns:
        raise UserError(f"{name} has the columns {few(map(str, frame.columns))}, expected {FORM}; give one of these")
    return {str(model): own for model, own in frame.groupby("model", sort=False)}


def table_of(frame: pd.DataFrame, values: ValueTable, items: Ids, name: str) -> dict[str, Any]:
    """Return the columns of one model's ranks in codes."""
    own_rank = "rank" in frame.columns
    wanted = ["user", "item", *(["rank"] if own_rank else ["above", "before"])]
    absent = next((column for column in wanted if column not in frame.columns), None)
    if absent:
        there = few(map(str, frame.columns))
        raise UserError(f"{name} has the columns {there}, expected user, item and rank; rename or add {absent!r}")
    for column in wanted:
        check_known(frame[column], column, name)
    user, item = values.users.encode(ids_of(frame["user"]), add=False), items.encode(ids_of(frame["item"]))
    if (user < 0).any():
        stranger = frame["user"].iloc[int(np.argmin(user))]
        raise UserError(f"{name} has the user {stranger!r}, who is not in {values.name}; give the ranks of its users")
    rank = frame["rank"].to_numpy() if own_rank else rank_of(frame["above"].to_numpy(), frame["before"].to_numpy())
    rating = frame["rating"].to_numpy(float) if "rating" in frame.columns else np.full(len(frame), np.nan)
    known = "candidates" in frame.columns
    candidates = frame["candidates"].to_numpy() if known else np.full(len(frame), max(int(rank.max(initial=1)), 1))
    return {
        "user": user,
        "item": item,
        "rank": rank.astype(np.int64),
        "candidates": candidates.astype(np.int64),
        "rating": None if np.isnan(rating).any() else rating,
        "known": known,
    }


def in_order(table: dict[str, Any], item_code: np.ndarray) -> dict[str, Any]:
    """Return the columns by user and item. item_code : the new code of each item."""
    table = table | {"item": item_code[table["item"]]}
    order = np.lexsort((table["item"], table["user"]))
    return {name: column[order] if isinstance(column, np.ndarray) else column for name, column in table.items()}


def read_history(train: Any, users: Ids, items: Ids) -> Train:
    """Return the training rows of all users, those who are not tested included, since they make items popular."""
    none = np.empty(0, np.int32)
    if train is None:
        return Train(none, none, users.n, items.n)
    everybody = Ids()
    everybody.encode(users.column())
    user, item, rating = read_rows(open_source(train, "train"), None, everybody, items, add_users=True)
    return Train(user, item, everybody.n, items.n, rating)
