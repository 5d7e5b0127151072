"""Pages of thirty models: rows stand apart, names fit, sentences stay short, no axis is spent on a few."""

import numpy as np
import pandas as pd
import pytest
from truerank.report.block import bold
from truerank.report.corrected import error_figure
from truerank.report.data import percent
from truerank.report.standings import ROOMY, interval_plot
from truerank.report.theme import REST, STYLES
from truerank.report.verdict import separated_sentence

MODELS = [f"embarrassingly_shallow_autoencoder_l2_{n}" for n in range(30)]


@pytest.fixture
def many(ranking, monkeypatch):
    """The ranking part, as if it had thirty models, the last one far behind."""
    rows = pd.DataFrame({"model": MODELS, "value": [*np.linspace(0.5, 0.4, 29), 0.01]})
    rows = rows.assign(ci_low=rows["value"] - 0.01, ci_high=rows["value"] + 0.01)
    looks = {model: STYLES[place] if place < len(STYLES) else REST for place, model in enumerate(MODELS)}
    monkeypatch.setattr(type(ranking), "standings", lambda part, metric, k: rows)
    monkeypatch.setattr(type(ranking), "models", MODELS)
    monkeypatch.setattr(type(ranking), "styles", looks)
    return ranking


def test_the_leaderboard_writes_what_is_far_behind_beside_its_axis(many):
    figure = interval_plot(many)
    axes = next(iter(figure.panels.values()))
    assert 0.3 < axes.get_xlim()[0] < 0.4
    assert "← 0.010" in [text.get_text() for text in axes.texts]
    assert max(len(tick.get_text()) for tick in axes.get_yticklabels()) < len(MODELS[0])
    assert axes.figure.get_size_inches()[1] < 0.2 * len(MODELS), f"rows are lower from {ROOMY} models on"
    assert "far beyond the axis" in figure.caption


def test_many_groups_without_a_difference_are_counted_and_not_listed(ranking, monkeypatch):
    groups = [MODELS[n : n + 5] for n in range(0, 30, 4)]
    monkeypatch.setitem(separated_sentence.__globals__, "alike", lambda part, metric, k: groups)
    sentence = separated_sentence(ranking)
    assert f"models form {len(groups)} groups without a significant difference" in sentence
    assert MODELS[0] not in sentence


def test_errors_far_apart_have_a_logarithmic_axis():
    keys = {"metric": "recall", "model": "m", "sampler": "uniform"}
    near = [{**keys, "k": k, "estimator": name, "relative_error": 0.1} for k in ("1", "10") for name in ("cls", "mle")]
    far = [{**keys, "k": k, "estimator": "uncorrected", "relative_error": 12.0} for k in ("1", "10")]
    for rows, scale in ((near, "linear"), (near + far, "log")):
        (axes,) = error_figure(pd.DataFrame(rows)).panels.values()
        assert axes.get_yscale() == scale


def test_long_names_may_break_and_metrics_stay_whole():
    assert bold("item_cf") == "<b>item_cf</b>"
    assert "_<wbr>shallow" in bold(MODELS[0])
    assert "<wbr>" not in bold("sdcse_medium_high_of_predictions@100")
    assert bold("<i>" + "_" * 30).startswith("<b>&lt;i&gt;")


@pytest.mark.parametrize(("share", "words"), [(0.354, "35.4"), (1.43, "143"), (12.96, "1,296")])
def test_shares_above_one_are_written_out(share, words):
    assert percent(share) == f"{words}\u00a0%"
