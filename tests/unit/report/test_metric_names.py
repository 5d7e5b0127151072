"""Metrics as people write them: one function, and it touches nothing but text."""

import pandas as pd
import pytest
from truerank.registry import METRICS
from truerank.report.block import Prose
from truerank.report.metric_names import with_tooltip, with_written_names, written
from truerank.report.table import Column, Table


@pytest.mark.parametrize(
    ("metric", "k", "expected"),
    [
        ("ndcg", "10", "nDCG@10"),
        ("recall", "20", "Recall@20"),
        ("ap", "10", "MAP@10"),
        ("ap", "all", "MAP"),
        ("rr", None, "MRR"),
        ("ndcg_binary", "10", "nDCG@10 (binary)"),
        ("kendall_b", "5", "Kendall b@5"),
        ("ap_min", "5", "MAP@5 (min)"),
        ("mae_micro", "all", "MAE"),
        ("nrmse_micro", None, "NRMSE"),
        ("rmse", "all", "RMSE (mean of users)"),
        ("mine", "5", "mine@5"),
        ("mine", "all", "mine@all"),
    ],
)
def test_written(metric, k, expected):
    assert written(metric, k) == expected


def test_every_registered_metric_has_a_name_of_its_own():
    names = [written(entry.name) for entry in METRICS]
    assert len(set(names)) == len(names)


def test_tooltips_have_the_names_of_the_config():
    assert with_tooltip("ndcg", "10") == '<abbr title="ndcg@10">nDCG@10</abbr>'
    assert with_tooltip("<b>", "1") == "&lt;b&gt;@1"


def test_text_is_written_anew_and_all_else_stays():
    html = (
        '<p title="ndcg@5">By ndcg@5, recall@all and mine@5.</p><pre><code>ndcg@5</code></pre>'
        "<svg><title>ndcg@5</title><text>recall@10</text></svg><td>me@5.org x@ap@5 ap@5</td>"
    )
    assert with_written_names(html) == (
        '<p title="ndcg@5">By <abbr title="ndcg@5">nDCG@5</abbr>, <abbr title="recall@all">Recall</abbr> '
        "and mine@5.</p>"
        "<pre><code>ndcg@5</code></pre><svg><title>nDCG@5</title><text>Recall@10</text></svg>"
        '<td>me@5.org x@ap@5 <abbr title="ap@5">MAP@5</abbr></td>'
    )
    assert with_written_names(with_written_names(html)) == with_written_names(html)


def test_a_notebook_shows_written_names_and_files_keep_those_of_the_config():
    assert "nDCG@5" in Prose("ndcg@5")._repr_mimebundle_()["text/html"]
    assert Prose("ndcg@5").html == "<p>ndcg@5</p>"


def test_a_column_of_metrics_is_written_too_and_its_files_are_not():
    frame = pd.DataFrame({"metric": ["mae_micro", "mae"], "value": [1.0, 2.0]})
    table = Table("errors", frame, "", [Column("metric")])
    assert '<abbr title="mae_micro">MAE</abbr>' in table.html
    assert "MAE (mean of users)" in table.html
    assert table.files["errors.csv"] == "metric,value\nmae_micro,1.0\nmae,2.0\n"
