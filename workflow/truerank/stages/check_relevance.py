"""Check that a split has something to find, before anything is evaluated.

It is checked when the split is made, before any model is trained, and as a rule of its own, since the rule of relevance
may change without a new split or training.
"""

import numpy as np

from truerank.artefacts.files import read_columns, read_json, write_json
from truerank.artefacts.split import TestRows
from truerank.core.relevance import nothing_relevant, relevant_rows
from truerank.provenance import PathLike
from truerank.stages import Files, Settings


def check_relevance(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write how many test rows are relevant, or refuse a split that has none.

    settings : ``relevance``, the rule, which the config's ``relevance_key`` sets.
    """
    relevant = relevant_of(inputs.train, inputs.test, inputs.facts, settings)
    write_json(outputs.relevance, {"rows": len(relevant), "relevant": int(relevant.sum())})


def relevant_of(train_path: PathLike, test_path: PathLike, facts: PathLike, settings: Settings) -> np.ndarray:
    """Tell which test rows are relevant; some must be."""
    train, test = (TestRows(*read_columns(path, "user", "item", "rating")) for path in (train_path, test_path))
    scale = read_json(facts)["rating_scale"]
    relevant = relevant_rows(test, train, settings.relevance, scale)
    if not relevant.any():
        raise nothing_relevant(settings.relevance, settings.relevance_key, settings.names, test.rating, scale)
    return relevant
