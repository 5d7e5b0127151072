"""What the page says of replicates, of leakage, and of a split by time."""

import json
import re

import pandas as pd
import pytest
from truerank import report


def text_of(block):
    return " ".join(re.sub(r"<[^>]+>", " ", str(block.html)).split())


def with_replicates(results, config, swap=False):
    """Write replicates in which item_cf leads, but in the last of them if told so."""
    config["select"]["ranking"]["replicates"] = {"splits": 3}
    rows, variance = [], []
    for place, model in enumerate(["random", "popularity", "item_cf"]):
        for split in (1, 2, 3):
            value = 0.1 * place + 0.01 * split + (0.3 if swap and split == 3 and model == "popularity" else 0)
            rows.append((model, "ndcg", "10", split, 1, value))
        variance.append((model, None, "ndcg", "10", 0.1 * place, 3e-6, 1e-6, float("nan")))
    variance.append(("item_cf", "popularity", "ndcg", "10", 0.1, 1e-6, 3e-6, float("nan")))
    folder = results / "meta/toy/holdout"
    names = ["model", "metric", "k", "split_seed", "training_seed", "value"]
    pd.DataFrame(rows, columns=names).to_parquet(folder / "replicates.parquet")
    names = ["model", "against", "metric", "k", "value", "users", "split", "training"]
    pd.DataFrame(variance, columns=names).to_parquet(folder / "replicate_variance.parquet")
    return report.open_study(results, "toy", config, {})


def test_replicates_that_agree_and_that_do_not(results, config):
    told = text_of(report.replicates(with_replicates(results, config)))
    assert "item_cf leads by ndcg@10 in all of them" in told
    assert "Its lead over popularity is 0.1000 on average, with a standard error of 0.0020" in told
    assert "With so few replicates these shares are rough" in told
    assert re.search(r"users \(25\.?0? %\) and split \(75\.?0? %\)", told)
    table = report.replicates(with_replicates(results, config)).blocks[1].frame.set_index("model")
    assert table.at["item_cf", "users"] == pytest.approx(0.75)
    assert table["training"].isna().all(), "it was not replicated"
    told = text_of(report.replicates(with_replicates(results, config, swap=True)))
    assert "The leader changes: by ndcg@10, item_cf in 2, popularity in 1" in told


def test_a_study_without_replicates_says_so(study):
    assert "was not measured" in text_of(report.replicates(study))


def test_leakage_is_flagged_where_training_is_later(results, config):
    path = results / "splits/toy/holdout/summary.json"
    facts = json.loads(path.read_text())
    shares = {"later_than_a_test_row": 0.9, "later_on_average": 0.4, "later_than_median": 0.5, "own_later": 0.0}
    for kind, found, expected in (
        ("leave_last_out", shares, "Flagged: training is later than the test"),
        ("global_time", dict.fromkeys(shares, 0.0), "no training row is later than a test row"),
        ("leave_last_out", None, "is not known"),
    ):
        path.write_text(json.dumps(facts | {"kind": kind, "leakage": found}))
        told = text_of(report.leakage(report.open_study(results, "toy", config, {})))
        assert expected in told
        assert ("Flagged" in told) == (found is shares)
        assert ("by_time: {split: time_cut" in told) == (found is shares), "what would measure it is named"


def test_the_order_by_time_stands_beside_that_of_the_split(results, config):
    config["splits"]["cut"] = {"kind": "global_time", "quantile": 0.8}
    config["select"]["ranking"]["by_time"] = {"split": "cut", "models": ["popularity", "item_cf"]}
    frame = pd.DataFrame({"model": ["popularity", "item_cf"], "metric": "ndcg", "k": "10", "value": [0.2, 0.4]})
    frame = frame.assign(ci_low=0.1, ci_high=0.5)
    for values, width, expected, chance in (
        ([0.3, 0.2], 0.01, "The leader changes. By ndcg@10, item_cf leads on holdout and popularity on cut.", False),
        ([0.3, 0.2], 0.06, "The leader changes.", True),
        ([0.1, 0.2], 0.01, "item_cf leads on both splits", False),
    ):
        ends = {"ci_low_by_time": [value - width for value in values]}
        ends |= {"ci_high_by_time": [value + width for value in values], "value_by_time": values}
        frame.assign(**ends).to_parquet(results / "meta/toy/holdout/by_time.parquet")
        told = text_of(report.leakage(report.open_study(results, "toy", config, {})))
        told = told.replace(" .", ".")
        assert expected in told
        assert ("so this may be chance" in told) == chance
