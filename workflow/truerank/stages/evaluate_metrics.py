"""Evaluate all metrics at all cut-offs for all models of a split."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from truerank.artefacts.catalogue import read_catalogue
from truerank.artefacts.files import REAL, TEXT, WHOLE, largest, write_parts, write_rows
from truerank.artefacts.per_user import read_shards, with_all_columns
from truerank.artefacts.rank_table import read_judgements, read_lists
from truerank.artefacts.split import Split
from truerank.core.evaluation import evaluate_by_rule, of_systems, per_user_columns, summary_rows, wants_lists
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.evaluation import join
from truerank.metrics._core.listed import Catalogue
from truerank.provenance import PathLike
from truerank.registry import Definitions
from truerank.stages import Files, Settings

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
    catalogue = read_catalogue(split) if systems and wants_lists(settings.metrics) else None

    def tables() -> Iterator[dict[str, np.ndarray]]:
        for model, ranks, lists in zip(settings.model_names, inputs.ranks, inputs.lists, strict=True):
            values = join(read_shards(inputs.metric_shards, model), settings.metrics)
            extent = Extent(split.n_users, split.n_items, depth=largest(lists, "position"), scale=split.scale)
            whole = {} if catalogue is None else of_system(ranks, lists, split, catalogue, systems, settings)
            rows.extend(summary_rows(model, values | whole, *rules, extent))
            yield with_all_columns(model, values, columns)

    write_parts(outputs.per_user, tables())
    write_rows(outputs.summary, rows, SUMMARY)


def of_system(
    ranks: PathLike, lists: PathLike, split: Split, catalogue: Catalogue, metrics: Definitions, settings: Settings
) -> dict[str, Any]:
    """Return the values of metrics of a whole system, by column."""
    found = read_judgements(ranks, split.history(), split.scale)
    listed = read_lists(lists, found.user)
    return evaluate_by_rule(found, metrics, settings.cutoffs, settings.relevance, listed, catalogue)
