"""Train one recommender."""

import logging
from dataclasses import replace
from importlib import import_module

import numpy as np

from truerank.artefacts.files import REAL, WHOLE, read_json, write_table
from truerank.artefacts.models import save_model
from truerank.artefacts.split import Split
from truerank.config.code import READER_OF_RUNS
from truerank.core.training import train
from truerank.models._core.base import Train
from truerank.models._core.progress import Progress
from truerank.models.run import Run
from truerank.registry import MODELS, Definition
from truerank.stages import Files, Settings

log = logging.getLogger(__name__)
CURVE = {"step": WHOLE, "loss": REAL, "seconds": REAL}


def train_model(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Fit a recommender on the training rows and write what it learnt.

    settings : the definition of the ``model``, ``seed``. The ``training`` that it writes has the loss per step and the
    seconds since the start; no row if the model has no loss to tell. What ``tune_model`` chose is used, and saved.
    """
    chosen = read_json(inputs.tuning)["settings"] if inputs.tuning else {}
    definition, progress = settings.model | chosen, Progress()
    history = with_run(Split.of(inputs).history(), definition, inputs, settings.names)
    trained = train(definition, history, settings.names, settings.seed, progress)
    save_model(outputs.model, trained.learnt, chosen)
    write_table(outputs.training, progress.curve, CURVE)


def with_run(history: Train, definition: Definition, inputs: Files, names: tuple[str, ...]) -> Train:
    """Return the training rows with what a system outside recommends, if the model is one.

    The reader is imported by name, so that its code is no part of other models'.
    """
    run = MODELS.make(definition)
    if not isinstance(run, Run):
        return history
    given = import_module(READER_OF_RUNS).read_run(run, inputs.user_table, inputs.item_table, names)
    known = np.isin(np.unique(history.user), given[0])
    log.info("it lists items for %d of %d users in training", known.sum(), len(known))
    return replace(history, given=given)
