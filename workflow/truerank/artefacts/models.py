"""Recommenders that were trained: what they learnt, and the settings that were chosen for them."""

import json

import numpy as np

from truerank.artefacts.files import read_arrays, write_arrays
from truerank.registry import MODELS

CHOSEN = "chosen_settings"


def save_model(path, learnt, chosen):
    """Write what a recommender learnt, with the settings that were chosen for it, if any were."""
    write_arrays(path, learnt | ({CHOSEN: np.array(json.dumps(chosen))} if chosen else {}))


def load_model(path, definition):
    """Return a trained recommender, with the settings that were chosen for it, and what it learnt."""
    learnt = read_arrays(path)
    return MODELS.make(definition | json.loads(str(learnt.pop(CHOSEN, "{}")))), learnt
