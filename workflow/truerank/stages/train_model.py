"""Train one recommender."""

import logging

import numpy as np

from truerank.models.base import Train
from truerank.provenance import generator
from truerank.registry import MODELS
from truerank.stages.files import n_rows, read_columns, write_arrays

log = logging.getLogger(__name__)


def train_model(train, users, items, definition, names, seed, model):
    """Fit the recommender that ``definition`` describes on ``train`` and write what it learnt to ``model``.

    names : dataset, split and model, which name the random generator.
    """
    recommender = make_model(definition)
    learnt = recommender.fit(read_train(train, users, items), generator(seed, "train_model", *names))
    write_arrays(model, learnt)
    log.info("learnt %s", ", ".join(f"{name} {array.shape}" for name, array in learnt.items()))


def make_model(definition):
    """Return the recommender of a definition as in the config, ``{"kind": .., settings}``."""
    settings = {key: value for key, value in definition.items() if key != "kind"}
    return MODELS[definition["kind"]].make(**settings)


def read_train(train, users, items):
    """Read the training rows with the size of the whole catalogue."""
    user, item, rating = read_columns(train, "user", "item", "rating")
    return Train(user, item, n_rows(users), n_rows(items), None if np.isnan(rating).all() else rating)
