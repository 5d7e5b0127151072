"""What a paper printed, and where ours is found: one figure out of one artefact.

A file of published figures says, for each figure, the ``artefact``, the column ``value``, the rows ``where``, how many
rows become one (``take``) and the ``scale`` of the paper; what a table or finding says holds for all its figures. One
that names a ``dataset`` is of that dataset alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from truerank.artefacts.files import read_json, read_table
from truerank.report.example import example_table

FACTS = "facts"  # of the dataset, on one row
FOLDERS = {"summary": "metrics", "expected": "curves", "mapping": "curves"}  # and all others are in meta
EXAMPLE = "example"  # is worked out here, from what the paper prints
ONE = "one"


def open_paper(
    results: str | Path, published: str | Path, config: dict[str, Any], provenance: dict[str, Any]
) -> "Paper":
    """Return what the file ``published`` says, beside what is in the folder ``results``."""
    content = yaml.safe_load(Path(published).read_text(encoding="utf-8"))
    return Paper(Path(results), Path(published).stem, content, config, provenance)


@dataclass(frozen=True)
class Paper:
    """The figures and findings of a paper, and the artefacts of the study that reproduces it."""

    results: Path
    name: str
    content: dict[str, Any]
    config: dict[str, Any]
    provenance: dict[str, Any]

    @cached_property
    def worked_example(self) -> pd.DataFrame:
        return with_columns(example_table(self.content[EXAMPLE]))

    @property
    def ours(self) -> list["Ours"]:
        """Our artefacts, for each dataset that the study selects."""
        split = self.config["select"].get(self.content["part"], {}).get("split")
        selected = self.config["select"]["datasets"]
        found = [Ours(self.results, dataset, split, tuple(selected)) for dataset in selected]
        if EXAMPLE in self.content:
            for ours in found:
                ours.tables[EXAMPLE] = self.worked_example
        return found


@dataclass(frozen=True)
class Ours:
    """The artefacts of one dataset and split; the split is None where the study lacks the part.

    selected : the datasets of the study, any of which a figure may name.
    """

    results: Path
    dataset: str
    split: str
    selected: tuple[str, ...] = ()

    def at(self, dataset: str | None) -> "Ours":
        """Return the artefacts of the dataset that a figure names, or these if it names none."""
        return self if dataset in (None, self.dataset) else replace(self, dataset=dataset)

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame | None]:
        return {}

    def table(self, artefact: str) -> pd.DataFrame | None:
        """Return an artefact as a frame, None where the study did not make it."""
        if artefact not in self.tables:
            is_ours = self.dataset in (self.selected or (self.dataset,))
            found = self.read(artefact) if is_ours else None
            self.tables[artefact] = found if found is None else with_columns(found).assign(dataset=self.dataset)
        return self.tables[artefact]

    def read(self, artefact: str) -> pd.DataFrame | None:
        if artefact == FACTS:
            path = self.results / "datasets" / self.dataset / "summary.json"
            return pd.DataFrame([read_json(path)]) if path.is_file() else None
        folder = self.results / FOLDERS.get(artefact, "meta") / self.dataset / str(self.split)
        path = folder / f"{artefact}.parquet"
        return read_table(path) if path.is_file() else None

    def figure(
        self,
        artefact: str,
        value: str,
        where: Mapping[str, Any],
        take: str = ONE,
        scale: float = 1,
        dataset: str | None = None,
    ) -> float:
        """Return the one number that the rows ``where`` say, NaN if the study has no such row or no value there."""
        if dataset not in (None, self.dataset):
            return self.at(dataset).figure(artefact, value, where, take, scale)
        table = self.table(artefact)
        if table is None or not set(where) <= set(table):
            return np.nan
        for column, wanted in where.items():
            table = table[chosen(table[column], wanted)]
        values = table[value].fillna(0) if value == "tau" else table[value].dropna()  # no order is no agreement
        if values.empty:
            return np.nan
        if take == ONE:
            if len(values) > 1:
                raise ValueError(f"{len(values)} rows of {artefact} where {where}; say which, or how to take them")
            return scale * float(values.iloc[0])
        return scale * float(values.agg(take))


def with_columns(table: pd.DataFrame) -> pd.DataFrame:
    """Add what papers print: ``metric@k``, pairs of metrics ``a`` and ``b``, ``moved`` of migration, ``sparsity``."""
    for name, suffix in {"metric@k": "", "a": "_a", "b": "_b"}.items():
        if f"metric{suffix}" in table and f"k{suffix}" in table:
            table[name] = table[f"metric{suffix}"] + "@" + table[f"k{suffix}"]
    if "density" in table:
        table["sparsity"] = 1 - table["density"]
    return table.assign(moved=table["up_sold"] + table["down_sold"]) if "up_sold" in table else table


def chosen(column: pd.Series, wanted: Any) -> pd.Series:
    """Tell which rows have the wanted value, one of the wanted values, or a number above or below one."""
    if isinstance(wanted, dict):
        return (column > wanted.get("above", -np.inf)) & (column < wanted.get("below", np.inf))
    if isinstance(wanted, list):
        return column.astype(str).isin(wanted)
    if pd.api.types.is_numeric_dtype(column):
        return np.isclose(column, wanted)
    return column.astype(str) == str(wanted)


KEYS = ("artefact", "value", "take", "scale", "dataset")


def merged(*specifications: Mapping[str, Any]) -> dict[str, Any]:
    """Return one specification of a figure out of several, the last one winning; their ``where`` are joined."""
    found: dict[str, Any] = {"where": {}}
    for each in specifications:
        found |= {key: each[key] for key in KEYS if key in each}
        found["where"] = found["where"] | each.get("where", {})
    return found
