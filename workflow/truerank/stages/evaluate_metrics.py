"""Evaluate all metrics at all cut-offs for all models of a split."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from truerank.artefacts.catalogue import read_catalogue
from truerank.artefacts.files import REAL, TEXT, WHOLE, largest, write_parts, write_rows
from truerank.artefacts.per_user import read_model, with_all_columns
from truerank.artefacts.rank_table import read_judgements, read_lists
from truerank.artefacts.split import Split
from truerank.core.evaluation import evaluate_by_rule, of_systems, per_user_columns, summary_rows, wants_lists
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.evaluation import Counted, join, policy_of, totals_of
from truerank.metrics._core.listed import Catalogue
from truerank.provenance import PathLike
from truerank.registry import Definitions
from truerank.stages import Files, Settings, evaluate_shard

SUMMARY = {"model": TEXT, "metric": TEXT, "k": TEXT, "value": REAL, "ci_low": REAL, "ci_high": REAL}
SUMMARY |= {"users": WHOLE, "undefined": WHOLE}


def evaluate_metrics(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write per-user values, and their means over users with 95 % intervals.

    A user whose value is undefined is null, and so is every user of a model that cannot have the metric; the summary
    leaves such a model out. settings : ``model_names``, ``metrics``, ``cutoffs``, ``relevance``, ``undefined_users``.
    """
    split = Split.of(inputs)
    rows: list[tuple] = []
    rules = settings.metrics, settings.cutoffs, settings.relevance, settings.undefined_users
    columns = per_user_columns(settings.metrics, settings.cutoffs)
    systems = of_systems(settings.metrics)
    catalogue = read_catalogue(split) if wants_lists(systems) else None

    def tables() -> Iterator[dict[str, np.ndarray]]:
        for model, ranks, lists in zip(settings.model_names, inputs.ranks, inputs.lists, strict=True):
            gathered = Gathered(settings.metrics, settings.undefined_users)
            for part in parts_of(inputs.metric_shards, model):
                gathered.look_at(part)
            for part in parts_of(inputs.metric_shards, model):
                yield with_all_columns(model, gathered.joined(part), columns)
            extent = Extent(split.n_users, split.n_items, depth=largest(lists, "position"), scale=split.scale)
            whole = {} if catalogue is None else of_system(ranks, lists, split, catalogue, systems, settings)
            rows.extend(summary_rows(model, gathered.counted | whole, *rules, extent))

    write_parts(outputs.per_user, tables())
    write_rows(outputs.summary, rows, SUMMARY)


def parts_of(paths: list[PathLike], model: str) -> Iterator[pa.Table]:
    return read_model(paths, model, evaluate_shard.USERS_PER_BLOCK)


class Gathered:
    """What is known of the users of one model, who are looked at part by part, and then joined in the same order."""

    def __init__(self, metrics: Definitions, undefined_users: str) -> None:
        self.metrics = metrics
        self.policies = {name: policy_of(definition, undefined_users) for name, definition in metrics.items()}
        self.had: dict[str, None] = {}
        self.totals: dict[str, np.ndarray] = {}
        self.counted: dict[str, Counted] = {}

    def look_at(self, part: pa.Table) -> None:
        """Find the columns that the model has, and the totals over all ratings."""
        had = {name: None for name in part.column_names if part[name].null_count < part.num_rows}
        self.had |= had
        for column, own in totals_of({name: part[name].to_numpy() for name in had}, self.metrics).items():
            self.totals[column] = self.totals.get(column, 0) + own

    def joined(self, part: pa.Table) -> dict[str, np.ndarray]:
        """Return the values of a part of the users, and count them."""
        values = {name: part[name].to_numpy() for name in part.column_names if name in self.had}
        found = join(values, self.metrics, self.totals)
        for column, own in found.items():
            if column != "user":
                counted = Counted.of(own, self.policies[column.rpartition("@")[0]])
                self.counted[column] = self.counted[column].plus(counted) if column in self.counted else counted
        return found


def of_system(
    ranks: PathLike, lists: PathLike, split: Split, catalogue: Catalogue, metrics: Definitions, settings: Settings
) -> dict[str, Any]:
    """Return the values of metrics of a whole system, by column."""
    found = read_judgements(ranks, split.history(), split.scale)
    listed = read_lists(lists, found.user)
    return evaluate_by_rule(found, metrics, settings.cutoffs, settings.relevance, listed, catalogue)
