"""Errors of estimators: drawn where they are near, written where they are far."""

import pandas as pd
import pytest
from truerank.report.error_plot import beyond, error_figure, error_panel, limits
from truerank.report.theme import styles

ERRORS = pd.DataFrame(
    {"a": [0.30, 0.010, -0.004, 0.002], "b": [0.45, 0.004, 0.008, -0.009]},
    index=["uncorrected", "cls", "mle", "mes"],
)


def test_the_axis_ends_where_most_estimators_do():
    assert limits(ERRORS) == (-0.009, 0.010)
    assert limits(ERRORS.loc[["uncorrected"]]) == (0, 0.45)
    assert limits(ERRORS * 0) == (-1, 1)
    axes = error_panel("ndcg@10", ERRORS, styles("ab"))
    assert axes.get_xlim() == pytest.approx((-0.01052, 0.01152))
    points = [line.get_xdata()[0] for line in axes.lines if line.get_marker() != "None"]
    assert sorted(points) == sorted(value for row in ERRORS.index[1:] for value in ERRORS.loc[row])
    assert [text.get_text() for text in axes.texts] == ["→ +0.30 to +0.45", "", "", ""]


def test_the_arrow_says_on_which_side_they_are():
    assert beyond(pd.Series({"a": -0.3, "b": 0.001}), -0.01, 0.01) == "← -0.30"
    assert beyond(pd.Series({"a": -0.3, "b": 0.2}), -0.01, 0.01) == "↔ -0.30 to +0.20"
    assert beyond(pd.Series({"a": 0.005}), 0, 0.01) == ""


def test_every_metric_has_its_panel(study):
    part = study.parts[1]
    rows = pd.DataFrame(
        [
            (metric, "uniform", estimator, model, 0.2, 0.1)
            for metric in ("recall@10", "auc@all")
            for estimator in ("uncorrected", "mle")
            for model in part.models
        ],
        columns=["metric", "sampler", "estimator", "model", "mean", "exact"],
    )
    figure = error_figure(rows, ["recall@10", "auc@all"], part.styles)
    assert len(figure.panels) == 2
    assert "sampler uniform" in figure.caption
