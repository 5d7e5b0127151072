"""The index says with one picture whether the order of the models holds on every dataset."""

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from truerank import report
from truerank.meta.over_datasets import critical_difference
from truerank.report import everywhere as section
from truerank.report.everywhere import common_values, heat_map, mean_places, sentence


@pytest.fixture
def index(results, config):
    for path in sorted(results.rglob("toy*")):
        if path.is_dir():
            for source in path.rglob("*.*"):
                target = path.with_name("twin") / source.relative_to(path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read_bytes())
    (results / "verdict/twin.json").write_bytes((results / "verdict/toy.json").read_bytes())
    config["select"]["datasets"] = ["toy", "twin"]
    return report.open_index(results, config, {})


def test_two_datasets_have_a_heat_map_and_mean_places(index):
    name, values = common_values(index)
    assert name == "nDCG@10"
    assert values.shape == (2, 3)
    text = BeautifulSoup(section(index).html, "html.parser").get_text(" ")
    assert "first on 2 of 2 datasets" in text
    assert "Heat map: place of each of 3 models on each of 2 datasets" in text


def test_places_and_means_are_drawn():
    ranks = pd.DataFrame([[1, 2, 3], [1, 3, 2]], ["one", "two"], ["a", "b", "c"], dtype=float)
    drawn = [text.get_text() for text in heat_map(ranks).texts]
    assert drawn == ["1", "1", "2", "3", "3", "2"]
    difference = critical_difference(2, 3)
    axes = mean_places(ranks, difference)
    np.testing.assert_allclose(axes.lines[0].get_xdata(), [1, 1 + difference])
    assert [line.get_xdata()[0] for line in axes.lines[1::2]] == [1, 2.5, 2.5]
    told = BeautifulSoup(sentence(ranks, difference, "nDCG@10"), "html.parser").get_text()
    assert told.startswith("a has the best mean place by nDCG@10, 1.00, and is first on 2 of 2 datasets.")
    assert "2 of 2 others do not differ significantly from it" in told


def test_one_dataset_has_nothing_to_compare(results, config):
    assert "one dataset" in section(report.open_index(results, config, {})).html


def test_datasets_whose_verdicts_name_other_metrics_are_all_told(index):
    """The index names the metric of each, and none is left out."""
    del index.config["headline"]
    toy, twin = index.studies
    toy.verdict["metrics"] = toy.verdict["metrics"] | {"metric": "ndcg", "k": "10"}
    twin.verdict["metrics"] = twin.verdict["metrics"] | {"metric": "recall", "k": "5"}
    text = BeautifulSoup(report.overview(index).html, "html.parser").get_text()
    assert "Ranking part, by ndcg@10: item_cf leads on toy; by recall@5: item_cf leads on twin." in text
    frame = report.datasets(index).frame
    assert list(frame["ranking leader, metric"]) == ["ndcg@10", "recall@5"]
    assert frame["ranking leader"].notna().all()
