"""RecBole's atomic files: tables separated by tabs whose headers name columns and their types."""

from pathlib import Path

import numpy as np

from truerank.datasets._core.cleaning import Duplicates
from truerank.datasets._core.collecting import Attributes, knowing, number
from truerank.datasets._core.interactions import Context, Interactions
from truerank.datasets._core.reading import Layout, Scale, Text
from truerank.datasets.file import checked, unique
from truerank.errors import UserError
from truerank.registry import DATASETS

TYPES = ("token", "token_seq", "float", "float_seq")


@DATASETS.register("recbole", inputs=("inter", "user", "item"), user_attributes=True)
def recbole(
    context: Context,
    *,
    inter: str,
    user: Text = None,
    item: Text = None,
    user_id: Text = "user_id",
    item_id: Text = "item_id",
    rating: Text = "rating",
    timestamp: Text = "timestamp",
    scale: Scale = None,
    duplicates: Duplicates = "auto",
) -> Interactions:
    """Read interactions (.inter) and, where given, attributes of users (.user) and items (.item) in RecBole's format.

    ``user_id``, ``item_id``, ``rating`` and ``timestamp`` are names of fields; a file may
    lack ``rating`` and ``timestamp``, but not a field that is named otherwise. Of attributes, ``float`` becomes a
    number, ``token`` text and ``token_seq`` text joined by ``|``; ``float_seq`` is left out.
    """
    from truerank.datasets._core.reading.table import TableFile

    names = header(inter)
    fields = {"user": user_id, "item": item_id, "rating": rating, "timestamp": timestamp}
    optional = {role for role in ("rating", "timestamp") if fields[role] == role and role not in names}
    for role in fields.keys() - optional:
        if fields[role] not in names:
            key = f"{role}_id" if role in ("user", "item") else role
            raise UserError(f"{inter}: found the fields {', '.join(names)}, expected {fields[role]}; correct `{key}`")
    columns = {role: f"{name}:{names[name]}" for role, name in fields.items() if role not in optional}
    table = TableFile(inter, Layout(columns, "tsv", scale=checked(scale, context)))
    rows = unique(table.read(), table, duplicates, context).noting(origin=inter).canonical()
    return knowing(rows, attributes(user, user_id) if user else None, attributes(item, item_id) if item else None)


def header(path: str | Path) -> dict[str, str]:
    """Field -> type, from the first line of an atomic file."""
    from truerank.datasets._core.reading.content import opened

    with opened(path) as (stream, _):
        cells = stream.readline().decode("utf-8-sig", errors="replace").rstrip("\r\n").split("\t")
    pairs = [cell.rpartition(":") for cell in cells]
    if not all(name and kind in TYPES for name, _, kind in pairs):
        raise UserError(
            f"{path}: found the header {' '.join(cells)!r}, expected name:type cells between tabs, the types "
            f"{', '.join(TYPES)}; use the source `file` for other tables"
        )
    return {name: kind for name, _, kind in pairs}


def attributes(path: str | Path, key: str) -> Attributes:
    """The attributes in an atomic file as name -> {id: value}."""
    from truerank.datasets._core.reading.content import content

    names = header(path)
    if key not in names:
        raise UserError(f"{path}: found the fields {', '.join(names)}, expected {key}; correct the name of the id")
    place = list(names).index(key)
    kept = [(i, name, kind) for i, (name, kind) in enumerate(names.items()) if name != key and kind != "float_seq"]
    found: Attributes = {name: {} for _, name, _ in kept}
    for line_number, line in enumerate(content(path)[0].decode("utf-8-sig", errors="replace").split("\n")[1:], start=2):
        cells = line.rstrip("\r").split("\t")
        if len(cells) != len(names) and line.strip():
            raise UserError(f"{path}, line {line_number}: found {len(cells)} fields, expected {len(names)}; correct it")
        if line.strip():
            for i, name, kind in kept:
                found[name][cells[place]] = value_of(cells[i], kind)
    return found


def value_of(cell: str, kind: str) -> float | str | None:
    """A cell as a number or text, None if it is empty."""
    if kind == "float":
        return number(cell, -np.inf, np.inf)
    return ("|".join(cell.split(" ")) if kind == "token_seq" else cell) or None
