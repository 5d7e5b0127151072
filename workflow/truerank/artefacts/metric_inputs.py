"""What metrics are evaluated on: rank tables, top lists, the catalogue, and which metrics share a rule of relevance."""

import numpy as np
from scipy import sparse

from truerank.artefacts.files import column_names, is_null, largest, read_columns
from truerank.artefacts.training_rows import read_train
from truerank.metrics._core.evaluation import needs
from truerank.metrics._core.listed import Catalogue, list_array
from truerank.registry import METRICS


def wants_lists(metrics):
    """Tell whether any metric looks at top lists."""
    return any(needs(METRICS.of(definition)) == "lists" for definition in metrics.values())


def from_ranks(metrics):
    """Return the metrics that are computed from ranks alone: those that say how good a ranking is."""
    return {name: definition for name, definition in metrics.items() if needs(METRICS.of(definition)) == "ranks"}


def by_rule(metrics, relevance):
    """Return pairs of a rule of relevance and the metrics that are judged by it."""
    groups = {}
    for name, definition in metrics.items():
        rule = definition.get("relevance", relevance)
        groups.setdefault(str(sorted(rule.items())), (rule, {}))[1][name] = definition
    return groups.values()


def read_ranks(path, history, scale, users=None):
    """Read a rank table as ``judged_by`` takes it; ratings, or predictions, that are all missing are None.

    history : the training rows, whose ratings count in the users' means. scale : lowest and highest rating.
    users : first and last code of those to read, all if not given.
    """
    names = ("user", "rating", "above", "before", "candidates", "prediction")
    user, rating, above, before, candidates, prediction = read_columns(path, *names, users=users)
    table = {"user": user, "rank": 1 + above + before, "candidates": candidates, "rating": None}
    if is_null(path, "rating"):
        return table
    total, count = np.bincount(user, rating, history.n_users), np.bincount(user, minlength=history.n_users)
    if history.rating is not None:
        total += np.bincount(history.user, history.rating, history.n_users)
        count += np.bincount(history.user, minlength=history.n_users)
    mean = (total / np.maximum(count, 1))[user]
    prediction = None if is_null(path, "prediction") else prediction
    return table | {"rating": rating, "prediction": prediction, "mean_rating": mean, "scale": scale}


def read_lists(path, user, users=None):
    """Read lists, one row per user of ``user``. users : first and last code of those to read, all if not given."""
    rows = read_columns(path, "user", "position", "item", users=users)
    return list_array(np.unique(user), *rows, depth=largest(path, "position"))


def read_catalogue(split):
    """Return the training ratings of items, 1 where there are none, and their genres where the data has any.

    split : paths of the training rows, the users and the items.
    """
    history, items = read_train(*split), split[2]
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
