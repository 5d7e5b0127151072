"""The sentence that answers each section has the numbers of the artefacts."""

import nbformat
import pytest
from bs4 import BeautifulSoup
from truerank import report
from truerank.artefacts.files import read_table
from truerank.report.section_answers import ANSWERS, TOP

from tests.support import ROOT


def said(study, section):
    return " ".join(BeautifulSoup(report.answer(study, section).html, "html.parser").get_text().split())


def test_every_answer_is_in_the_notebook_and_is_one_sentence_long(study):
    cells = [cell.source for cell in nbformat.read(ROOT / "notebooks" / "report.ipynb", as_version=4).cells]
    for section in ANSWERS:
        assert f'report.answer(study, "{section}")' in cells
        assert report.answer(study, section).html.count("<p") == 1, section


def test_ranks(study, ranking):
    table = read_table(study.results / "ranks/toy/holdout/popularity.parquet")
    table = table[table["rating"] >= 4]
    share = (1 + table["above"] + table["before"] <= TOP).mean()
    assert f"popularity puts {100 * share:.3g} % of the relevant test items" in said(study, "Rank distributions")


def test_cutoffs_count_pairs_that_turn(study, ranking):
    rows = ranking.summary
    chosen = (rows["metric"] == "ndcg") & (rows["model"] == "random") & (rows["k"] == "10")
    rows.loc[chosen, "value"] = 1.0
    assert "2 of 3 pairs of models change their order between ndcg@1 and ndcg@10" in said(
        study, "Metric against cut-off"
    )


def test_agreement_names_the_metric_that_agrees_least(study, ranking):
    table = ranking.meta("correlation")
    table = table[(table["metric_a"] == "ndcg") & (table["k_a"] == "10") & (table["metric_b"] != "ndcg")]
    table = table[table["k_b"].isin(["10", "all"])]
    assert f"tau {table['tau'].min():.2f}." in said(study, "Agreement of metrics")


def test_correction_is_the_smallest_mean_error(study):
    table = read_table(study.results / "meta/toy/last_one/accuracy.parquet")
    table = table[(table["metric"] == "recall") & (table["k"] == "10")]
    errors = table.groupby(["sampler", "estimator"])["relative_error"].mean()
    sampler, estimator = errors.idxmin()
    text = said(study, "Correction")
    assert f"{estimator} with sampler {sampler}" in text
    assert f"its error is {100 * errors.min():.3g} %" in text


@pytest.mark.parametrize("models", [["item_cf"], []])
def test_where_there_is_nothing_to_say_nothing_is_said(results, config, models):
    config["select"] = {"datasets": ["toy"]}
    if models:
        config["select"]["ranking"] = {"split": "holdout", "models": models, "metrics": ["ndcg"], "cutoffs": [10]}
    study = report.open_study(results, "toy", config, {})
    for section in ("Metric against cut-off", "Discriminative power", "Agreement of metrics", "Correction"):
        assert report.answer(study, section).html == ""
