"""What to know of predicted ratings: which are no better than a constant, and on which rows they are calibrated."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from truerank.artefacts.files import read_table
from truerank.report.study import Part

GAIN = 0.001  # of the RMSE: less than this is no gain over a constant
ON_SEEN = ("linear", "isotonic")  # calibrations on the rows of training


class NoGain(NamedTuple):
    """A model that predicts ratings no better than a constant: its RMSE, and that of the mean training rating.

    same : it predicts the same rating for all.
    """

    model: str
    error: float
    constant: float
    same: bool


def on_predictions(part: Part) -> Iterator[str]:
    """What to know of the models' predictions before reading anything that is measured of them."""
    yield from constant_sentences(part)
    seen = calibrated_on_seen(part)
    if seen:
        yield (
            f"The predictions of {', '.join(seen)} are calibrated on rows that training saw, on which a model looks "
            "more accurate than it is, so those of unseen items may come out low; `linear_held_out` and "
            "`isotonic_held_out` calibrate on other rows."
        )


def calibrated_on_seen(part: Part) -> list[str]:
    """The models with predictions that are calibrated on training pairs."""
    predicting = set(part.meta("migration")["model"])
    kind = {model: part.study.config["models"][model].get("calibration") for model in part.models}
    return [model for model in part.models if model in predicting and kind[model] in ON_SEEN]


def constant_sentences(part: Part) -> Iterator[str]:
    for model, error, constant, same in no_better_than_constant(part):
        how = "the same rating for all" if same else "ratings no better than a constant"
        yield (
            f"{model} predicts {how}: its RMSE is {error:.3f}, that of the mean training rating {constant:.3f}. Its "
            "SDCSE and migration have no meaning."
        )


def no_better_than_constant(part: Part) -> Iterator[NoGain]:
    """Which models predict the test ratings no better than the mean training rating does for all.

    A constant may be nearer than that mean by chance, and so is any prediction whose RMSE is less by a share below
    ``GAIN``. One rated row does not make a constant.
    """
    mean = read_table(part.split_folder / "train.parquet", ["rating"])["rating"].mean()
    for model in part.models:
        rated = part.rated(model).dropna()
        if rated.empty:
            continue
        error, constant = (rmse(rated["rating"] - guess) for guess in (rated["prediction"], mean))
        same = len(rated) > 1 and rated["prediction"].nunique() == 1
        if same or error > (1 - GAIN) * constant:
            yield NoGain(model, error, constant, same)


def rmse(errors: pd.Series) -> float:
    return float(np.sqrt((errors**2).mean()))
