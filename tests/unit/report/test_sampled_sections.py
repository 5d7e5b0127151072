"""The sections on sampling say what the tables say, and that they do not apply where they do not."""

import pandas as pd
import pytest
from bs4 import BeautifulSoup
from truerank import report
from truerank.report.bounded import table_of
from truerank.report.sampled import artefact

SECTIONS = [
    report.sampled_metrics,
    report.expected_curves,
    report.order_reversals,
    report.crossing_curves,
    report.estimator_errors,
    report.mapping_curves,
    report.user_sampling,
    report.metrics_by_rank,
    report.corrected_by_rank,
    report.sampling_cost,
    report.rank_fits,
    report.mapping_winners,
    report.what_can_be_known,
]


def text_of(block):
    return BeautifulSoup(block.html, "html.parser").get_text(" ")


@pytest.mark.parametrize("section", SECTIONS)
def test_without_samplers_it_does_not_apply(study, config, section):
    del config["select"]["sampling"]["samplers"]
    assert text_of(section(study)) == "This does not apply: the study selects no samplers."
    del config["select"]["sampling"]
    assert text_of(section(study)) == "This does not apply: the study selects no samplers."


def test_estimates_are_those_of_the_table(study):
    table = artefact(study.parts[1], "meta", "accuracy")
    row = table[(table.metric == "recall") & (table.k == "10") & (table.estimator == "uncorrected")].iloc[0]
    text = text_of(report.sampled_metrics(study))
    for key in ("exact", "mean"):
        assert f"{row[key]:.4f}" in text


def test_pairs_in_the_wrong_order_are_counted(study):
    table = artefact(study.parts[1], "meta", "order")
    rows = table[(table.metric == "recall") & (table.k == "10") & (table.estimator == "uncorrected")]
    wrong = int((2 * rows.right < rows.repeats).sum())
    assert f"sampler uniform: {wrong} of 3 for recall@10" in text_of(report.order_reversals(study))


def test_every_sampler_and_estimator_has_its_row(study):
    files = report.estimator_errors(study).files["estimators.csv"]
    assert [line.split(",")[:2] for line in files.splitlines()[1:]] == [
        ["uniform", "uncorrected"],
        ["uniform", "mle"],
        ["adaptive", "adaptive_mle"],
    ]


def test_crossings_and_users(study):
    assert "pairs of models have curves that cross" in text_of(report.crossing_curves(study))
    assert "normal interval holds" in text_of(report.user_sampling(study))


def test_bounds_stand_beside_estimates_with_what_they_lean_on(study):
    table = artefact(study.parts[1], "meta", "bounds")
    block = report.what_can_be_known(study)
    text = text_of(block)
    assert "What this many candidates can show about recall@k" in text
    row = table[
        (table.metric == "recall") & (table.model == study.parts[1].models[0]) & (table.estimator == "mle")
    ].iloc[0]
    assert f"the sample admits {row.bound_low:.4f} to {row.bound_high:.4f}, mle estimates {row.estimate:.4f}" in text
    assert "identified: no, this estimate depends on the assumption that" in text
    assert len(block.files["bounds.csv"].splitlines()) == 1 + (table.metric == "recall").sum()


def test_bounds_are_shown_whatever_the_headline_is():
    row = {"sampler": "s", "estimator": "mle", "model": "ease", "k": "10", "estimate": 0.1, "bound_low": 0.0}
    rows = [row | {"metric": metric, "bound_high": 0.3, "identified": False} for metric in ("recall", "ap")]
    assert table_of(pd.DataFrame(rows)).frame["metric"].tolist() == ["recall"]
