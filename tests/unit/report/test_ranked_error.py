"""SDCSE stands beside MAP and nDCG, explicit beside implicit, with the artefacts' figures."""

import pandas as pd
import pytest
from truerank import report
from truerank.artefacts.files import read_table, write_table

from tests.unit.report.conftest import FIXTURE

VALUES = {"sdcse": [0.7, 0.8], "sdcse_implicit": [0.5, 0.6]}


@pytest.fixture
def with_sdcse(results, config):
    """The fixture, with two models that predict ratings."""
    config["metrics"] = {"sdcse_implicit": {"kind": "sdcse", "relevance": {"threshold": 4, "binary": True}}}
    config["select"]["ranking"]["metrics"] += list(VALUES)
    summary, power = (
        results / f"{name}.parquet" for name in ("metrics/toy/holdout/summary", "meta/toy/holdout/discriminative_power")
    )
    rows = [(model, m, "10", v) for m, vs in VALUES.items() for model, v in zip(("item_cf", "random"), vs, strict=True)]
    added = pd.DataFrame(rows, columns=["model", "metric", "k", "value"])
    write_table(summary, pd.concat([read_table(summary), added], ignore_index=True))
    sums = pd.DataFrame({"metric": list(VALUES), "k": "10", "dp": [0.25, 0.5], "dp_ordered": [0.5, 1.0]})
    write_table(power, pd.concat([read_table(power), sums], ignore_index=True))
    return report.open_study(results, "toy", config, {})


def test_tables_hold_the_artefacts_figures(with_sdcse):
    power, values, *_ = report.ranked_error(with_sdcse).blocks
    assert "how large" not in values.caption
    sums = read_table(with_sdcse.results / "meta/toy/holdout/discriminative_power.parquet").set_index(["metric", "k"])
    frame = power.frame.set_index("metric")
    assert list(frame.index) == ["ndcg", "sdcse", "sdcse_implicit"]
    assert frame["10"].tolist() == sums.loc[[(metric, "10") for metric in frame.index], "dp"].tolist()
    assert values.frame.set_index("model")["sdcse"].to_dict() == {"item_cf": 0.7, "random": 0.8}
    labels = [column.label for column in values.columns[1:]]
    assert labels == ["sdcse@10, explicit", "sdcse_implicit@10, implicit"]


def test_sizes_of_errors_stand_beside_the_ratio(with_sdcse):
    with_sdcse.config["select"]["ranking"]["metrics"] += ["dcse", "cse"]
    path = with_sdcse.results / "metrics/toy/holdout/summary.parquet"
    rows = [("item_cf", "cse", "10", 4.0), ("item_cf", "dcse", "10", 3.0)]
    added = pd.DataFrame(rows, columns=["model", "metric", "k", "value"])
    write_table(path, pd.concat([read_table(path), added], ignore_index=True))
    power, values, *_ = report.ranked_error(with_sdcse).blocks
    assert list(values.frame) == ["model", "sdcse", "sdcse_implicit", "dcse", "cse"]
    assert values.frame.set_index("model").loc["item_cf"].tolist() == [0.7, 0.5, 3, 4]
    assert "how large the errors are" in values.caption
    assert not {"cse", "dcse"} & set(power.frame["metric"])


def test_predictions_that_are_no_better_than_a_constant_are_named(with_sdcse):
    """So is any other constant, a gain that is too small to count, and what is worse."""
    paper = report.open_paper(with_sdcse.results, FIXTURE / "published.yaml", dict(with_sdcse.config), {})
    path = with_sdcse.results / "ranks/toy/holdout/item_cf.parquet"
    table = read_table(path)
    mean = read_table(with_sdcse.results / "splits/toy/holdout/train.parquet", ["rating"])["rating"].mean()
    apart = table["rating"] - mean
    better = [table["rating"], mean + 0.01 * apart]
    same = [mean, table["rating"].mean()]
    no_better = [mean + 0.0005 * apart, 6 - table["rating"]]
    told = {
        "": better,
        "predicts the same rating for all": same,
        "predicts ratings no better than a constant": no_better,
    }
    for says, guesses in told.items():
        for guess in guesses:
            write_table(path, table.assign(prediction=guess))
            text = report.ranked_error(with_sdcse).html
            assert [each for each in told if each and f"item_cf {each}: its RMSE is" in text] == (
                [says] if says else []
            )
            assert "its RMSE is" not in report.migration(with_sdcse).html, "once is enough"
            text = report.paper_verdict(paper).html
            assert ("no better than a constant" in text) == ("on toy item_cf (" in text) == bool(says)
            assert (", the same rating for all)" in text) == (says == "predicts the same rating for all")


def test_without_sdcse_or_ranking_it_says_so(study, config):
    assert "SDCSE is not shown" in report.ranked_error(study).html
    del config["select"]["ranking"]
    assert "SDCSE is not shown" in report.ranked_error(report.open_study(study.results, "toy", config, {})).html
