"""Train one recommender."""

import logging
from dataclasses import replace

import numpy as np

from truerank.artefacts.files import read_json, write_table
from truerank.artefacts.models import save_model
from truerank.artefacts.training_rows import read_train
from truerank.errors import UserError
from truerank.memory import free_memory
from truerank.models._core.calibration import calibrate
from truerank.models._core.progress import Progress
from truerank.models.run import Run
from truerank.provenance import generator
from truerank.registry import MODELS
from truerank.stages.read_run import read_run

log = logging.getLogger(__name__)


def train_model(train, users, items, definition, names, seed, model, training, chosen=()):
    """Fit the recommender that ``definition`` describes on ``train`` and write what it learnt to ``model``.

    names : dataset, split and model, which name the random generators. A calibration is learnt last, and saved with it.
    training : Parquet, the loss per step and the seconds since the start; no row if the model has no loss to tell.
    chosen : what ``tune_model`` chose, in a list of one path, empty if there was nothing to tune; saved with the model.
    """
    settings = {name: value for path in chosen for name, value in read_json(path)["settings"].items()}
    definition = definition | settings
    recommender, history = MODELS.make(definition), read_train(train, users, items)
    if isinstance(recommender, Run):
        history = replace(history, given=read_run(recommender, users, items, names))
        known = np.isin(np.unique(history.user), history.given[0])
        log.info("it lists items for %d of %d users in training", known.sum(), len(known))
    called = f"model {names[-1]!r} ({definition['kind']})"
    check_memory(called, recommender.bytes_needed(history), history)
    progress = Progress()
    try:
        learnt = recommender.fit(history, generator(seed, "train_model", *names), progress)
    except UserError as failure:
        raise UserError(f"{called}: {failure}") from failure
    if "calibration" in definition:
        rng = generator(seed, "calibration", *names)
        curve = calibrate(
            definition["calibration"], lambda block: recommender.scores(learnt, history, block), history, rng
        )
        if not curve:
            log.info("not calibrated: training has no ratings that differ")
        learnt = learnt | curve
    save_model(model, learnt, settings)
    step, loss, seconds = progress.curve.values()
    write_table(
        training, {"step": np.array(step, np.int64), "loss": np.array(loss, float), "seconds": np.array(seconds, float)}
    )
    log.info("learnt %s", ", ".join(f"{name} {array.shape}" for name, array in learnt.items()))


def check_memory(name, needed, train):
    """Refuse a model that needs more memory than there is, before it starts."""
    if not needed:
        return
    free, place = free_memory()
    log.info("%s needs about %.2f GB of memory, %.2f GB are free %s", name, needed / 1e9, free / 1e9, place)
    if needed > free:
        raise UserError(
            f"{name} needs about {needed / 1e9:.2f} GB of memory for {train.n_users:,} users and {train.n_items:,} "
            f"items, and {free / 1e9:.2f} GB are free {place}; run where there is more, or leave it out of the "
            "config's select"
        )
