"""Evaluate all metrics at all cut-offs for all models of a split."""

from dataclasses import astuple, fields

import numpy as np
from scipy import sparse

from truerank.metrics.evaluation import Mean, columns_of, evaluate, is_per_user, needs, summarise
from truerank.metrics.listed import Catalogue, Listed, list_array
from truerank.metrics.relevance import judged_by
from truerank.registry import METRICS
from truerank.stages.files import column_names, read_columns, read_json, write_parts, write_table
from truerank.stages.train_model import read_train


def evaluate_metrics(
    ranks, lists, train, users, items, facts, metrics, cutoffs, relevance, undefined_users, per_user, summary
):
    """Write per-user values, and their means over users with 95 % intervals.

    ranks, lists : model -> path of its table. facts : path of the dataset's summary. metrics : name -> definition; a
    metric is judged by its own rule of relevance, or else by ``relevance``. A user whose value is undefined is null,
    and so is every user of a model that cannot have the metric; the summary leaves such a model out.
    """
    history, scale = read_train(train, users, items), read_json(facts)["rating_scale"]
    wants_lists = any(needs(METRICS[definition["kind"]]) == "lists" for definition in metrics.values())
    catalogue = read_catalogue(history, items) if wants_lists else None
    per_user_columns = [
        column for name, d in metrics.items() if is_per_user(d) for column in columns_of(name, d, cutoffs)
    ]
    rows = []

    def tables():
        for model, path in ranks.items():
            table = read_ranks(path, history, scale)
            listed_items = read_lists(lists[model], table["user"]) if wants_lists else None
            values, listed = {}, None
            for rule, chosen in by_rule(metrics, relevance):
                judged = judged_by(rule, **table)
                listed = Listed(listed_items, judged, catalogue) if wants_lists else None
                values |= evaluate(judged, chosen, cutoffs, listed)
            for column, mean in summarise(values, metrics, cutoffs, undefined_users, listed).items():
                metric, _, k = column.rpartition("@")
                rows.append((model, metric, k, *astuple(mean)))
            absent = np.full(len(judged.users), np.nan)
            columns = {column: values.get(column, absent) for column in per_user_columns}
            yield {"model": [model] * len(judged.users), "user": judged.users} | columns

    write_parts(per_user, tables())
    names = ("model", "metric", "k", *(field.name for field in fields(Mean)))
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    write_table(summary, dict(zip(names, columns, strict=True)))


def from_ranks(metrics):
    """Return the metrics that are computed from ranks alone: those that say how good a ranking is."""
    return {name: definition for name, definition in metrics.items() if needs(METRICS[definition["kind"]]) == "ranks"}


def by_rule(metrics, relevance):
    """Return pairs of a rule of relevance and the metrics that are judged by it."""
    groups = {}
    for name, definition in metrics.items():
        rule = definition.get("relevance", relevance)
        groups.setdefault(str(sorted(rule.items())), (rule, {}))[1][name] = definition
    return groups.values()


def read_ranks(path, history, scale):
    """Read a rank table as ``judged_by`` takes it; ratings, or predictions, that are all missing are None.

    history : the training rows, whose ratings count in the users' means. scale : lowest and highest rating.
    """
    names = ("user", "rating", "above", "before", "candidates", "prediction")
    user, rating, above, before, candidates, prediction = read_columns(path, *names)
    table = {"user": user, "rank": 1 + above + before, "candidates": candidates, "rating": None}
    if np.isnan(rating).all():
        return table
    total, count = np.bincount(user, rating, history.n_users), np.bincount(user, minlength=history.n_users)
    if history.rating is not None:
        total += np.bincount(history.user, history.rating, history.n_users)
        count += np.bincount(history.user, minlength=history.n_users)
    mean = (total / np.maximum(count, 1))[user]
    prediction = None if np.isnan(prediction).all() else prediction
    return table | {"rating": rating, "prediction": prediction, "mean_rating": mean, "scale": scale}


def read_lists(path, user):
    return list_array(np.unique(user), *read_columns(path, "user", "position", "item"))


def read_catalogue(history, items):
    """Return the training ratings of items, 1 where there are none, and their genres where the data has any."""
    rating = np.ones(len(history.user)) if history.rating is None else history.rating.astype(float)
    shape = history.n_items, history.n_users
    ratings = sparse.csr_matrix((rating, (history.item, history.user)), shape=shape)
    if "genres" not in column_names(items):
        return Catalogue(ratings)
    labels = [sorted(set(text.split("|"))) if text else [] for text in read_columns(items, "genres")[0]]
    code = {label: number for number, label in enumerate(sorted({label for of_item in labels for label in of_item}))}
    item = np.repeat(np.arange(len(labels)), [len(of_item) for of_item in labels])
    column = [code[label] for of_item in labels for label in of_item]
    genres = sparse.csr_matrix((np.ones(len(item)), (item, column)), shape=(len(labels), len(code)))
    return Catalogue(ratings, genres)
