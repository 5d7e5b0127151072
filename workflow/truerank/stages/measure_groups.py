"""Measure for whom the order of the models holds: groups of users, and of test items."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from truerank.artefacts.attributes import read_attributes
from truerank.artefacts.files import REAL, TEXT, WHOLE, counted, read_json, write_frames
from truerank.artefacts.per_user import read_by_users
from truerank.artefacts.rank_table import Judgements
from truerank.artefacts.split import Split
from truerank.core.comparing import Scores
from truerank.core.evaluation import evaluate_by_rule
from truerank.core.user_groups import FEWEST_USERS, bands, group_rows, groupings
from truerank.meta.flips import USERS_PER_BLOCK
from truerank.metrics._core.evaluation import join, limits, policy_of
from truerank.stages import Files, Settings
from truerank.stages.ranked_users import read_ranked_users

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
    for by, label, values in (*user_groups(inputs, settings, metric, k), *item_groups(inputs, settings, metric, k)):
        having = [not np.isnan(own).all() for own in values.T]
        models = [model for model, has in zip(settings.model_names, having, strict=True) if has]
        if len(values) >= FEWEST_USERS and len(models) > 1:
            own = replace(scores, values=values[:, having])
            yield group_rows(models, own, by, label, settings.seed, settings.names)


def user_groups(inputs: Files, settings: Settings, metric: str, k: str) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield what users are grouped by, the group, and the values of its users, users x models."""
    column, split = f"{metric}@{k}", Split.of(inputs)
    read = list(read_by_users(inputs.per_user, len(settings.model_names), [column], USERS_PER_BLOCK))
    users, values = np.concatenate([codes for codes, _ in read]), np.concatenate([own[column] for _, own in read])
    attributes = {name: own[users] for name, own in read_attributes(inputs.user_table).items()}
    for grouping in groupings(counted(split.train, "user", split.n_users)[users], attributes):
        for number, label in enumerate(grouping.labels):
            yield grouping.by, label, values[grouping.group == number]


def item_groups(inputs: Files, settings: Settings, metric: str, k: str) -> Iterator[tuple[str, str, np.ndarray]]:
    """Yield the same by the popularity of test items: users who have such an item, judged by these items alone."""
    split = Split.of(inputs)
    degree, tests = counted(split.train, "item", split.n_items), counted(inputs.ranks[0], "item", split.n_items)
    grouping = bands(ITEMS, np.repeat(degree.astype(float), tests))
    group_of = np.full(split.n_items, -1)
    group_of[tests > 0] = grouping.group[np.cumsum(tests)[tests > 0] - 1]
    ranked, cutoffs = read_ranked_users(inputs.ranks, split), ["all" if k == "all" else int(k)]
    definition, rule = {metric: settings.metrics[metric]}, settings.evaluation["relevance"]
    for number, label in enumerate(grouping.labels if len(grouping.labels) > 1 else ()):
        found: list[list[dict[str, np.ndarray]]] = []
        for block in range(len(ranked.users)):
            models, item = ranked.read(block)
            keep = group_of[item] == number
            if keep.any():
                some = [thinned(table, keep) for table in models]
                found.append([evaluate_by_rule(own, definition, cutoffs, rule, apart=True) for own in some])
        values = [join(together(of_model), definition).get(f"{metric}@{k}") for of_model in zip(*found, strict=True)]
        if all(own is not None for own in values):
            yield grouping.by, label, np.column_stack(values)  # type: ignore[arg-type]  # none is None


def together(parts: Sequence[Mapping[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Return the values of all parts of the users by column."""
    return {column: np.concatenate([part[column] for part in parts]) for column in parts[0]}


def thinned(table: Judgements, keep: np.ndarray) -> Judgements:
    """Return the judgements of some rows."""
    per_row = ("user", "rank", "candidates", "rating", "prediction", "mean_rating")
    rows = {name: getattr(table, name) for name in per_row}
    kept: dict[str, Any] = {name: None if own is None else own[keep] for name, own in rows.items()}
    return replace(table, **kept)
