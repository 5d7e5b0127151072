"""Train one recommender."""

import logging

from truerank.models.base import Train
from truerank.models.calibration import calibrate
from truerank.provenance import generator
from truerank.registry import MODELS
from truerank.stages.files import is_null, n_rows, read_columns, write_arrays

log = logging.getLogger(__name__)


def train_model(train, users, items, definition, names, seed, model):
    """Fit the recommender that ``definition`` describes on ``train`` and write what it learnt to ``model``.

    names : dataset, split and model, which name the random generators. A calibration is learnt last, and saved with it.
    """
    recommender, history = make_model(definition), read_train(train, users, items)
    learnt = recommender.fit(history, generator(seed, "train_model", *names))
    if "calibration" in definition:
        rng = generator(seed, "calibration", *names)
        curve = calibrate(
            definition["calibration"], lambda block: recommender.scores(learnt, history, block), history, rng
        )
        if not curve:
            log.info("not calibrated: training has no ratings that differ")
        learnt = learnt | curve
    write_arrays(model, learnt)
    log.info("learnt %s", ", ".join(f"{name} {array.shape}" for name, array in learnt.items()))


def make_model(definition):
    """Return the recommender of a definition as in the config, ``{"kind": .., settings}``."""
    settings = {key: value for key, value in definition.items() if key not in ("kind", "calibration")}
    return MODELS[definition["kind"]].make(**settings)


def read_train(train, user_table, item_table, users=None):
    """Read the training rows, or those of ``users`` (first and last code), with the size of the whole catalogue."""
    user, item = read_columns(train, "user", "item", users=users)
    rating = None if is_null(train, "rating") else read_columns(train, "rating", users=users)[0]
    return Train(user, item, n_rows(user_table), n_rows(item_table), rating)
