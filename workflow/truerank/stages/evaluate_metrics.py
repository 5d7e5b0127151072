"""Evaluate all metrics at all cut-offs for all models of a split."""

from dataclasses import astuple

import numpy as np

from truerank.artefacts.files import (
    REAL,
    TEXT,
    WHOLE,
    column_names,
    largest,
    n_rows,
    read_columns,
    read_json,
    write_parts,
    write_table,
)
from truerank.artefacts.metric_inputs import by_rule, read_catalogue, read_lists, read_ranks, wants_lists
from truerank.artefacts.training_rows import read_train
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.evaluation import evaluate, is_per_user, summarise
from truerank.metrics._core.listed import TopLists
from truerank.metrics._core.relevance import judged_by
from truerank.stages.evaluate_shard import per_user_columns, values_by_block

SUMMARY = {"model": TEXT, "metric": TEXT, "k": TEXT, "value": REAL, "ci_low": REAL, "ci_high": REAL}
SUMMARY |= {"users": WHOLE, "undefined": WHOLE}


def evaluate_metrics(
    ranks, lists, train, users, items, facts, metrics, cutoffs, relevance, undefined_users, per_user, summary, shards=()
):
    """Write per-user values, and their means over users with 95 % intervals.

    ranks, lists : model -> path of its table. facts : path of the dataset's summary. metrics : name -> definition; a
    metric is judged by its own rule of relevance, or else by ``relevance``. A user whose value is undefined is null,
    and so is every user of a model that cannot have the metric; the summary leaves such a model out. shards : paths of
    what ``evaluate_shard`` wrote, model by model; if there are none, all users are evaluated here.
    """
    rows = []
    choices = {"metrics": metrics, "cutoffs": cutoffs, "relevance": relevance}
    with_rules = {name: {"relevance": relevance} | definition for name, definition in metrics.items()}
    size = n_rows(users), n_rows(items)
    scale = read_json(facts)["rating_scale"]

    def tables():
        for model, own_shards in zip(ranks, np.reshape(shards, (len(ranks), -1)), strict=True):
            evidence = ranks[model], lists[model], (train, users, items), facts
            values = joined(read_shards(own_shards) if len(own_shards) else values_by_block(*evidence, **choices))
            user = values.pop("user")
            values_of_all = values | system_values(*evidence, **choices)
            extent = Extent(*size, depth=largest(lists[model], "position"), scale=scale)
            for column, mean in summarise(values_of_all, with_rules, cutoffs, undefined_users, extent).items():
                metric, _, k = column.rpartition("@")
                rows.append((model, metric, k, *astuple(mean)))
            absent = np.full(len(user), np.nan)
            columns = {column: values.get(column, absent) for column in per_user_columns(metrics, cutoffs)}
            yield {"model": np.full(len(user), model), "user": user} | columns

    write_parts(per_user, tables())
    columns = zip(*rows, strict=True) if rows else ([] for _ in SUMMARY)
    write_table(summary, dict(zip(SUMMARY, columns, strict=True)), SUMMARY)


def read_shards(paths):
    """Yield the columns of every shard that has users."""
    for path in filter(n_rows, paths):
        names = column_names(path)
        yield dict(zip(names, read_columns(path, *names), strict=True))


def joined(parts):
    parts = list(parts)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def system_values(ranks, lists, split, facts, metrics, cutoffs, relevance):
    """Return the values of metrics of a whole system, by column."""
    chosen = {name: definition for name, definition in metrics.items() if not is_per_user(definition)}
    if not chosen or not wants_lists(metrics):
        return {}
    table = read_ranks(ranks, read_train(*split), read_json(facts)["rating_scale"])
    listed_items, catalogue = read_lists(lists, table["user"]), read_catalogue(split)
    values = {}
    for rule, of_rule in by_rule(chosen, relevance):
        listed = TopLists(listed_items, judged_by(rule, **table), catalogue)
        values |= evaluate(listed.judged, of_rule, cutoffs, listed)
    return values
