"""The cheap proxies that an informed evaluation may follow, as an order of each user's candidates."""

import os
from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

import numpy as np
import pandas as pd

from truerank.api.inputs.ids import Ids
from truerank.api.inputs.sources import Source, as_numbers, open_source, roles_of, text_or_numbers
from truerank.api.score_checks import check_definition
from truerank.blas import single_threaded_blas
from truerank.config.merging import normalised, read_defaults
from truerank.core.training import train as trained
from truerank.errors import UserError
from truerank.informed.order import Barred, OwnOrder, ProxyOrder, SharedOrder
from truerank.models._core.base import Train
from truerank.provenance import generator
from truerank.registry import Definition, unknown

POPULARITY = "popularity"
EXPECTED = "expected the name or definition of a model, a run (a file or a dict), or an array with a score per item"


def proxy_order(
    proxy: Any, history: Train, users: Ids, items: Ids, rows: np.ndarray, barred: Barred, seed: int
) -> ProxyOrder:
    """Return the order of candidates that a proxy gives.

    rows : codes of the users that are evaluated.
    """
    rng = generator(seed, "informed", "proxy")
    if isinstance(proxy, str) and not is_path(proxy):
        return model_order(named_model(proxy), proxy, history, rows, barred, rng, seed)
    if isinstance(proxy, Mapping) and "kind" in proxy:
        check_definition(proxy)
        return model_order(proxy, proxy["kind"], history, rows, barred, rng, seed)
    if isinstance(proxy, pd.Series):
        proxy = proxy.to_dict()
    if isinstance(proxy, Mapping) and not any(is_listed(value) for value in proxy.values()):
        return SharedOrder(by_item(proxy, items), barred, rng)
    if isinstance(proxy, Mapping | str | os.PathLike) or hasattr(proxy, "columns"):
        return listed_order(open_source(proxy, "proxy"), users, items, rows, barred, rng)
    return array_order(proxy, history, rows, barred, rng)


def is_path(proxy: str) -> bool:
    """Tell a file from the name of a model: it is there, or has the suffix that names do not have."""
    return Path(proxy).is_file() or bool(Path(proxy).suffix)


def is_listed(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple | np.ndarray)


def by_item(proxy: Mapping[Any, float], items: Ids) -> np.ndarray:
    """Return scores by item as an array, NaN for items without one."""
    score = np.full(items.n, np.nan)
    if proxy:
        code = items.encode(text_or_numbers(list(proxy)), add=False)
        found = as_numbers("proxy", "score", text_or_numbers(list(proxy.values())))
        score[code[code >= 0]] = found[code >= 0]
    return score


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
        if not found.ndim:
            raise ValueError
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


def listed_order(
    run: Source, users: Ids, items: Ids, rows: np.ndarray, barred: Barred, rng: np.random.Generator
) -> ProxyOrder:
    """Follow a run's lists, by score or else by rank; what a user's does not have comes last."""
    roles = roles_of(run, None)
    by = next((role for role in ("score", "rank") if role in roles), None)
    if by is None:
        raise UserError(f"{run.name} has no column of scores or ranks, expected one, to follow it as a proxy; add it")
    parts = []
    for batch in run.batches({role: roles[role] for role in ("user", "item", by)}):
        if batch:
            code, item = (ids.encode(batch[role], add=False) for ids, role in ((users, "user"), (items, "item")))
            parts.append((code, item, batch[by].astype(float) * (1 if by == "score" else -1)))
    user, code, score = (np.concatenate(each) for each in zip(*parts, strict=True)) if parts else np.zeros((3, 0), int)
    row_of = np.full(users.n + 1, -1)
    row_of[rows] = np.arange(len(rows))
    row = row_of[user]
    known = (row >= 0) & (code >= 0)
    order = np.argsort(row[known], kind="stable")
    row, code, score = row[known][order], code[known][order], score[known][order]
    start = np.searchsorted(row, np.arange(len(rows) + 1))

    def scores(block: np.ndarray) -> np.ndarray:
        found = np.full((len(block), items.n), np.nan)
        own = slice(start[block[0]], start[block[-1] + 1])
        found[row[own] - block[0], code[own]] = score[own]
        return found

    return OwnOrder(scores, items.n, barred, rng)
