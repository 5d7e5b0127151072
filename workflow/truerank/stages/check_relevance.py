"""Check that a split has something to find, before anything is evaluated.

It is checked when the split is made, before any model is trained, and as a rule of its own, since the rule of relevance
may change without a new split or training.
"""

import numpy as np

from truerank.artefacts.files import is_null, n_rows, read_columns, read_json, write_json
from truerank.artefacts.interactions import StoredRows
from truerank.artefacts.split import TestRows
from truerank.core.relevance import nothing_relevant, relevant_rows
from truerank.provenance import PathLike
from truerank.stages import Files, Settings

ROWS_AT_A_TIME = 1 << 16  # of the test, whose users have many times as many in training


def check_relevance(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write how many test rows are relevant, or refuse a split that has none.

    settings : ``relevance``, the rule, which the config's ``relevance_key`` sets.
    """
    relevant = count_relevant(inputs.train, inputs.test, inputs.facts, settings)
    write_json(outputs.relevance, {"rows": n_rows(inputs.test), "relevant": relevant})


def count_relevant(train: PathLike, test: PathLike, facts: PathLike, settings: Settings) -> int:
    """Return how many test rows are relevant; some must be. Some users are in memory at a time."""
    if is_null(test, "rating"):
        return n_rows(test)
    scale, relevant, ends = read_json(facts)["rating_scale"], 0, np.empty(0)
    for block in StoredRows(test, ROWS_AT_A_TIME).blocks():
        own = TestRows(*(block[name].to_numpy() for name in ("user", "item", "rating")))
        if len(own.user):
            span = int(own.user[0]), int(own.user[-1])
            history = TestRows(*read_columns(train, "user", "item", "rating", users=span))
            relevant += int(relevant_rows(own, history, settings.relevance, scale).sum())
            both = np.append(ends, own.rating)
            ends = np.array([np.fmin.reduce(both), np.fmax.reduce(both)])
    if not relevant:
        raise nothing_relevant(settings.relevance, settings.relevance_key, settings.names, ends, scale)
    return relevant
