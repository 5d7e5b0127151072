"""Read a dataset from its source, check it, and write it in the one form that every later stage reads."""

from typing import Any

import numpy as np
import pyarrow as pa

from truerank.artefacts.files import write_json, write_parts, write_table
from truerank.datasets._core.cleaning import narrowed
from truerank.datasets._core.declared import with_catalogue
from truerank.datasets._core.ids import Ids
from truerank.datasets._core.interactions import NO_TIME, Context, Entities, Interactions
from truerank.datasets._core.spilled import SpilledRows
from truerank.datasets._core.summary import summarise
from truerank.provenance import generator
from truerank.registry import DATASETS, Definition
from truerank.stages import Files, Settings

NO_NOTES = {
    "origin": None,
    "duplicate_policy": None,
    "duplicates_removed": 0,
    "rows_below_threshold": 0,
    "rows_outside_core": 0,
}


def fetch_dataset(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write a dataset's interactions, users, items and summary.

    settings : the definition of the ``dataset``, with its ``source``, the settings of that and filters of rows; the
    ``seed``. The interactions have user and item codes, rating and timestamp, sorted by user and item; also ``part``,
    train or test, where the source gives the split. Users and items have code, id and attributes.
    """
    (name,) = settings.names
    rows, facts = fetched(name, settings.dataset, settings.seed)
    write_parts(outputs.interactions, (pa.table(interaction_columns(part)) for part in rows.parts()))
    write_table(outputs.user_table, pa.table(coded(rows.users)))
    write_table(outputs.item_table, pa.table(coded(rows.items)))
    write_json(outputs.facts, facts)


def fetched(name: str, definition: Definition, seed: int) -> tuple[Interactions | SpilledRows, dict[str, Any]]:
    """Return the interactions of a dataset, and what there is to say of them."""
    source = DATASETS.of(definition)
    filters = DATASETS.shared_settings(definition)
    items = filters.pop("items", None)
    rows = DATASETS.make(definition)(Context(name, generator(seed, "fetch_dataset", name)))
    if filters:
        rows = narrowed(rows, name, **filters)
    digest = rows.checksum()
    if items is not None:
        rows = with_catalogue(rows, name, items)
    facts = {key: getattr(source.facts, key) for key in ("licence", "citation")}
    content = {"name": name, "source": source.name} | summarise(rows, rows.scale) | NO_NOTES | rows.notes | facts
    return rows, content | {"checksum": digest}


def interaction_columns(rows: Interactions) -> dict[str, Any]:
    columns = {
        "user": pa.array(rows.user, pa.int32()),
        "item": pa.array(rows.item, pa.int32()),
        "rating": pa.array(rows.rating, pa.float32(), mask=np.isnan(rows.rating)),
        "timestamp": pa.array(rows.timestamp, pa.int64(), mask=rows.timestamp == NO_TIME),
    }
    return columns if rows.part is None else columns | {"part": np.where(rows.part, "test", "train")}


def coded(table: Entities) -> dict[str, Any]:
    ids = table["id"].as_column() if isinstance(table["id"], Ids) else table["id"]
    return {"code": np.arange(len(ids), dtype=np.int32)} | table | {"id": ids}
