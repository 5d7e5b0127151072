"""The cheap proxies that an informed evaluation may follow, as an order of each user's candidates."""

import os
from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

import numpy as np
import pandas as pd

from truerank.blas import single_threaded_blas
from truerank.config.merging import normalised, read_defaults
from truerank.core.training import train as trained
from truerank.datasets._core.reading import Layout
from truerank.datasets._core.reading.run import RunFile
from truerank.errors import UserError
from truerank.informed.order import Barred, OwnOrder, ProxyOrder, SharedOrder
from truerank.models._core.base import Train
from truerank.provenance import generator
from truerank.registry import Definition, unknown

POPULARITY = "popularity"
EXPECTED = "expected the name or definition of a model, a run (a file or a dict), or an array with a score per item"


def proxy_order(
    proxy: Any, history: Train, users: np.ndarray, items: np.ndarray, rows: np.ndarray, barred: Barred, seed: int
) -> ProxyOrder:
    """Return the order of candidates that a proxy gives.

    users, items : ids by code. rows : codes of the users that are evaluated.
    """
    rng = generator(seed, "informed", "proxy")
    if isinstance(proxy, str | os.PathLike) and Path(proxy).is_file():
        return listed_order(*from_file(proxy), users, items, rows, barred, rng)
    if isinstance(proxy, str):
        return model_order(named_model(proxy), proxy, history, rows, barred, rng, seed)
    if isinstance(proxy, Mapping) and "kind" in proxy:
        return model_order(proxy, proxy["kind"], history, rows, barred, rng, seed)
    if isinstance(proxy, Mapping) and any(isinstance(value, Mapping) for value in proxy.values()):
        return listed_order(*from_dict(proxy), users, items, rows, barred, rng)
    if isinstance(proxy, pd.Series):
        proxy = proxy.to_dict()
    if isinstance(proxy, Mapping):
        score = np.array([proxy.get(item, np.nan) for item in items.tolist()], float)
        return SharedOrder(score, barred, rng)
    return array_order(proxy, history, rows, barred, rng)


def named_model(name: str) -> Definition:
    """Return the definition of a model that has a name by default."""
    models = normalised(read_defaults())["models"]
    if name not in models:
        raise UserError(f"proxy: {unknown('model', name, sorted(models))}")
    return models[name]


def model_order(
    definition: Definition,
    name: str,
    history: Train,
    rows: np.ndarray,
    barred: Barred,
    rng: np.random.Generator,
    seed: int,
) -> ProxyOrder:
    """Train a model here and follow it; popularity, which is the same for everybody, takes no table of users."""
    if definition["kind"] == POPULARITY:
        return SharedOrder(history.degree.astype(float), barred, rng)
    plain = {key: value for key, value in definition.items() if key not in ("calibration", "tune")}
    with single_threaded_blas():
        model = trained(plain, history, ("informed", "proxy", name), seed)
    scores = model.recommender.scores
    return OwnOrder(lambda block: scores(model.learnt, history, rows[block]), history.n_items, barred, rng)


def array_order(proxy: Any, history: Train, rows: np.ndarray, barred: Barred, rng: np.random.Generator) -> ProxyOrder:
    """Follow scores of items, or of users x items, by code: ascending ids, or the order of the ids that were given."""
    try:
        found = np.asarray(proxy, float)
    except (TypeError, ValueError):
        raise UserError(f"proxy is {shortened(proxy)}, {EXPECTED}; correct it") from None
    if found.shape == (history.n_items,):
        return SharedOrder(found, barred, rng)
    if found.shape == (history.n_users, history.n_items):
        return OwnOrder(lambda block: found[rows[block]], history.n_items, barred, rng)
    raise UserError(
        f"proxy has the shape {found.shape}, expected {history.n_items:,} scores of items, or "
        f"{history.n_users:,} x {history.n_items:,} of users and items; correct it"
    )


Listed = tuple[np.ndarray, np.ndarray, np.ndarray]  # user and item ids as text, and scores, a row per place


def from_file(path: Any) -> Listed:
    user, item, score, user_ids, item_ids = RunFile(str(path), Layout(None)).read()
    return np.array(user_ids, object)[user], np.array(item_ids, object)[item], score


def from_dict(run: Mapping[Any, Mapping[Any, float]]) -> Listed:
    rows = [(str(user), str(item), score) for user, own in run.items() for item, score in own.items()]
    user, item, score = zip(*rows, strict=True)
    return np.array(user, object), np.array(item, object), np.array(score, float)


def listed_order(
    user: np.ndarray,
    item: np.ndarray,
    score: np.ndarray,
    users: np.ndarray,
    items: np.ndarray,
    rows: np.ndarray,
    barred: Barred,
    rng: np.random.Generator,
) -> ProxyOrder:
    """Follow a run's lists; what a user's does not have comes last."""
    row_of = {str(users[code]): row for row, code in enumerate(rows)}
    code_of = {str(each): code for code, each in enumerate(items.tolist())}
    row = np.array([row_of.get(each, -1) for each in user], np.int64)
    code = np.array([code_of.get(each, -1) for each in item], np.int64)
    known = (row >= 0) & (code >= 0)
    order = np.argsort(row[known], kind="stable")
    row, code, score = row[known][order], code[known][order], score[known][order]
    start = np.searchsorted(row, np.arange(len(rows) + 1))

    def scores(block: np.ndarray) -> np.ndarray:
        found = np.full((len(block), len(items)), np.nan)
        own = slice(start[block[0]], start[block[-1] + 1])
        found[row[own] - block[0], code[own]] = score[own]
        return found

    return OwnOrder(scores, len(items), barred, rng)
