"""Recommenders that were trained: what they learnt, and the settings that were chosen for them."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from truerank.artefacts.files import read_arrays, write_arrays
from truerank.provenance import PathLike

CHOSEN = "chosen_settings"


def save_model(path: PathLike, learnt: dict[str, np.ndarray], chosen: Mapping[str, Any]) -> None:
    """Write what a recommender learnt, with the settings that were chosen for it, if any were."""
    write_arrays(path, learnt | ({CHOSEN: np.array(json.dumps(chosen))} if chosen else {}))


def load_model(path: PathLike) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Return what a recommender learnt, and the settings that were chosen for it."""
    learnt = read_arrays(path)
    return learnt, json.loads(str(learnt.pop(CHOSEN, "{}")))
