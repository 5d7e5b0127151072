"""A section of predicted ratings says which have no meaning, and which are calibrated on what training saw."""

import numpy as np
import pytest
from truerank import report
from truerank.artefacts.files import read_table, write_table
from truerank.report.predictions import no_better_than_constant


@pytest.fixture
def predicting(results, config):
    """Return a function: a study whose item_cf predicts what it is given, the other models nothing."""
    path = results / "ranks/toy/holdout/item_cf.parquet"
    table = read_table(path)

    def study(change):
        write_table(path, table.assign(prediction=change(table["rating"])))
        return report.open_study(results, "toy", config, {})

    return study


@pytest.mark.parametrize(("n_rated", "named"), [(1, []), (2, ["item_cf"])])
def test_one_rated_row_is_no_constant(predicting, n_rated, named):
    def best(rating):
        rows = rating.index[rating == rating.max()][:n_rated]
        return rating.where(rating.index.isin(rows), np.nan) - 0.1

    assert [found.model for found in no_better_than_constant(predicting(best).parts[0])] == named


def test_without_sdcse_the_section_of_migration_names_the_constants(predicting):
    assert "item_cf predicts the same rating for all" in report.migration(predicting(lambda rating: 3.0)).html
    reverse = report.migration(predicting(lambda rating: 6 - rating)).html
    assert "item_cf predicts ratings no better than a constant" in reverse
    assert "its RMSE is" not in report.migration(predicting(lambda rating: rating)).html


@pytest.mark.parametrize("calibration", ["linear", "isotonic", "linear_held_out", "isotonic_held_out", None])
def test_a_calibration_on_training_pairs_is_said(predicting, config, calibration):
    """Not of popularity, which is calibrated but has no predictions here."""
    for model in ("item_cf", "popularity"):
        config["models"][model] |= {"calibration": calibration} if calibration else {}
    text = report.migration(predicting(lambda rating: rating)).html
    assert ("predictions of item_cf are calibrated on rows that training saw" in text) == (
        calibration in ("linear", "isotonic")
    )
