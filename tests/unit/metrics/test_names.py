"""The names of metrics that people type."""

import pytest
from truerank.errors import UserError
from truerank.metrics._core.names import ALIASES, parse_metric, parse_metrics
from truerank.registry import METRICS

from tests.support import for_each


@for_each(
    ("text", "name", "k", "note"),
    [
        ("recall@10", "recall", 10, None),
        ("Recall@10", "recall", 10, None),
        ("NDCG@5", "ndcg", 5, None),
        ("nDCG@all", "ndcg", "all", None),
        ("auc", "auc", "all", None),
        ("AUC@all", "auc", "all", None),
        ("hr@20", "hit", 20, "hr is hit"),
        ("HR@20", "hit", 20, "HR is hit"),
        ("hit_rate@1", "hit", 1, "hit_rate is hit"),
        ("hit@1", "hit", 1, None),
        ("map", "ap", "all", "map is ap@all"),
        ("MAP", "ap", "all", "MAP is ap@all"),
        ("map@10", "ap", 10, "map is ap"),
        ("map@all", "ap", "all", "map is ap"),
        ("mrr", "rr", "all", "mrr is rr@all"),
        ("MRR@3", "rr", 3, "MRR is rr"),
        ("P@5", "precision", 5, "P is precision"),
        ("r@5", "recall", 5, "r is recall"),
        ("ndcg_cut@10", "ndcg", 10, "ndcg_cut is ndcg"),
    ],
)
def test_what_a_name_stands_for(text, name, k, note):
    assert parse_metrics([text]) == [(name, k, f"{name}@{k}", note)]


@for_each(
    ("text", "sentence"),
    [
        ("recall", "metric 'recall' cannot be read, expected recall@10 or recall@all"),
        ("ap", "metric 'ap' cannot be read, expected ap@10 or ap@all"),
        ("hr", "metric 'hr' cannot be read, expected hit@10 or hit@all"),
        ("ndcg_cut", "expected ndcg@10 or ndcg@all"),
        ("map@", "expected ap@10 or ap@all"),
        ("recall@0", "expected recall@10 or recall@all"),
        ("recall@-1", "expected recall@10 or recall@all"),
        ("recall@ten", "expected recall@10 or recall@all"),
        ("recall@" + "9" * 5000, "expected recall@10 or recall@all"),
        ("auc@5", "metric 'auc@5' cannot be read, expected auc"),
        ("recal@5", "unknown metric 'recal', did you mean 'recall'?"),
        ("", "unknown metric ''"),
        ("rmse", "'rmse' is not a function of ranks"),
        ("coverage@10", "'coverage' is not a function of ranks"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(text, sentence):
    with pytest.raises(UserError) as told:
        parse_metric(text)
    assert sentence in str(told.value)
    assert len(str(told.value)) < 500


def test_variants_have_the_cutoffs_of_their_kind():
    variants = {"mine": {"kind": "ndcg", "gain": "binary"}, "whole": {"kind": "auc"}, "map": {"kind": "ap_min"}}
    asked = parse_metrics(["mine@3", "whole", "Mine@3", "map@5"], variants)
    assert [each.column for each in asked] == ["mine@3", "whole@all", "mine@3", "map@5"]
    assert [each.note for each in asked] == [None] * 4
    with pytest.raises(UserError, match="metric 'mine' cannot be read"):
        parse_metric("mine", variants)


def test_every_alias_is_of_a_metric_and_hides_none():
    assert set(ALIASES.values()) <= set(METRICS.names)
    assert not set(ALIASES) & set(METRICS.names)
