"""Train a recommender in memory."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.errors import UserError
from truerank.memory import free_memory
from truerank.models._core.base import Recommender, Train
from truerank.models._core.calibration import calibrate, parted
from truerank.models._core.progress import Progress
from truerank.provenance import generator
from truerank.registry import MODELS, Definition

HELD_OUT = "_held_out"  # at the end of a calibration: on rows that training does not see
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Trained:
    """A recommender with what it learnt, as named arrays, and the definition that it was made by."""

    definition: Definition
    recommender: Recommender
    learnt: dict[str, np.ndarray]


def train(
    definition: Definition, history: Train, names: tuple[str, ...], seed: int, progress: Progress | None = None
) -> Trained:
    """Train the recommender that ``definition`` describes. A calibration is learnt last.

    names : dataset, split and model, which name the random generators. progress : keeps the loss per step.
    """
    recommender = MODELS.make(definition)
    check_memory(definition, names[-1], recommender.bytes_needed(history), history)
    seen, judged = parts_of(definition, history, names, seed)
    try:
        learnt = recommender.fit(seen, generator(seed, "train_model", *names), progress or Progress())
    except UserError as failure:
        raise UserError(f"{called(definition, names[-1])}: {failure}") from failure
    if "calibration" in definition:
        rng, kind = generator(seed, "calibration", *names), definition["calibration"].removesuffix(HELD_OUT)
        curve = calibrate(kind, lambda block: recommender.scores(learnt, seen, block), history, rng, judged)
        if not curve:
            log.info("not calibrated: training has no ratings that differ")
        learnt = learnt | curve
    log.info("learnt %s", ", ".join(f"{name} {array.shape}" for name, array in learnt.items()))
    return Trained(definition, recommender, learnt)


def parts_of(definition: Definition, history: Train, names: tuple[str, ...], seed: int) -> tuple[Train, Train]:
    """Return the rows to train on and those to calibrate on: the same ones, or parts without a row in common."""
    if not definition.get("calibration", "").endswith(HELD_OUT):
        return history, history
    return parted(history, generator(seed, "calibration", *names, "rows"))


def restored(definition: Definition, learnt: dict[str, np.ndarray], chosen: Mapping[str, Any]) -> Trained:
    """Return a recommender that was trained before, with the settings that were chosen for it."""
    return Trained(definition, MODELS.make({**definition, **chosen}), learnt)


def called(definition: Definition, name: str) -> str:
    return f"model {name!r} ({definition['kind']})"


def check_memory(definition: Definition, name: str, needed: float, history: Train) -> None:
    """Refuse a model that needs more memory than there is, before it starts."""
    if not needed:
        return
    free, place = free_memory()
    model = called(definition, name)
    log.info("%s needs about %.2f GB of memory, %.2f GB are free %s", model, needed / 1e9, free / 1e9, place)
    if needed > free:
        raise UserError(
            f"{model} needs about {needed / 1e9:.2f} GB of memory for {history.n_users:,} users and "
            f"{history.n_items:,} items, and {free / 1e9:.2f} GB are free {place}; run where there is more, or leave "
            "it out of the config's select"
        )
