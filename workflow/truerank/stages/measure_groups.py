"""Measure for whom the order of the models holds: groups of users, and of test items."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from truerank.artefacts.attributes import read_attributes
from truerank.artefacts.files import REAL, TEXT, WHOLE, read_columns, read_json, read_table, write_frames
from truerank.artefacts.rank_table import Judgements, read_judgements
from truerank.artefacts.split import Split
from truerank.core.comparing import Scores
from truerank.core.evaluation import evaluate_by_rule
from truerank.core.user_groups import FEWEST_USERS, bands, group_rows, groupings
from truerank.metrics._core.evaluation import limits, policy_of
from truerank.stages import Files, Settings

VALUES = {"by": TEXT, "group": TEXT, "users": WHOLE, "model": TEXT, "metric": TEXT, "k": TEXT}
VALUES |= {"value": REAL, "ci_low": REAL, "ci_high": REAL}
PAIRS = {"by": TEXT, "group": TEXT, "metric": TEXT, "k": TEXT, "model_a": TEXT, "model_b": TEXT, "difference": REAL}
PAIRS |= {"ci_low": REAL, "ci_high": REAL, "effect_size": REAL, "p_value": REAL, "p_holm": REAL, "p_fdr": REAL}
ITEMS = "popularity of the test item (training users)"


def measure_groups(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the values of all models under the headline metric by group, and their differences.

    settings : ``model_names``, ``metrics``, ``evaluation``, ``headline`` of the config or None, ``seed``. Nothing where
    no metric speaks for the study, and where that one is no metric of the ranking. Groups of fewer than 20 users are
    left out.
    """
    named = settings.headline or read_json(inputs.verdict)["metrics"]
    found = list(by_group(inputs, settings, named["metric"], str(named["k"]))) if named else []
    write_frames(outputs.groups, [values for values, _ in found], VALUES)
    write_frames(outputs.group_pairs, [pairs for _, pairs in found], PAIRS)


def by_group(inputs: Files, settings: Settings, metric: str, k: str) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    """Yield the values and the differences of every group."""
    definition = settings.metrics[metric]
    low, (high, *_) = limits(definition, ["all" if k == "all" else int(k)], None)
    policy = policy_of(definition, settings.evaluation["undefined_users"])
    scores = Scores(np.empty(0), metric, k, low, float(high), policy)
    for by, label, values in (*user_groups(inputs, metric, k), *item_groups(inputs, settings, metric, k)):
        having = [not np.isnan(own).all() for own in values.T]
        models = [model for model, has in zip(settings.model_names, having, strict=True) if has]
        if len(values) >= FEWEST_USERS and len(models) > 1:
            own = replace(scores, values=values[:, having])
            yield group_rows(models, own, by, label, settings.seed, settings.names)


def user_groups(inputs: Files, metric: str, k: str) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield what users are grouped by, the group, and the values of its users, users x models."""
    frame = read_table(inputs.per_user, ["model", "user", f"{metric}@{k}"])
    wide = frame.pivot(index="user", columns="model", values=f"{metric}@{k}")[list(frame["model"].unique())]
    users, values = wide.index.to_numpy(), wide.to_numpy(float)
    split = Split.of(inputs)
    attributes = {name: own[users] for name, own in read_attributes(inputs.user_table).items()}
    for grouping in groupings(split.history().per_user[users], attributes):
        for number, label in enumerate(grouping.labels):
            yield grouping.by, label, values[grouping.group == number]


def item_groups(inputs: Files, settings: Settings, metric: str, k: str) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield the same by the popularity of test items: users who have such an item, judged by these items alone."""
    split = Split.of(inputs)
    history = split.history()
    tables = [read_judgements(path, history, split.scale) for path in inputs.ranks]
    (item,) = read_columns(inputs.ranks[0], "item")
    grouping = bands(ITEMS, history.degree[item].astype(float))
    cutoffs = ["all" if k == "all" else int(k)]
    definition, rule = {metric: settings.metrics[metric]}, settings.evaluation["relevance"]
    for number, label in enumerate(grouping.labels if len(grouping.labels) > 1 else ()):
        some = [thinned(table, grouping.group == number) for table in tables]
        values = [evaluate_by_rule(own, definition, cutoffs, rule).get(f"{metric}@{k}") for own in some]
        if all(own is not None for own in values):
            yield grouping.by, label, np.column_stack(values)  # type: ignore[arg-type]  # none is None


def thinned(table: Judgements, keep: np.ndarray) -> Judgements:
    """Return the judgements of some rows."""
    per_row = ("user", "rank", "candidates", "rating", "prediction", "mean_rating")
    rows = {name: getattr(table, name) for name in per_row}
    kept: dict[str, Any] = {name: None if own is None else own[keep] for name, own in rows.items()}
    return replace(table, **kept)
