"""What the report says of the metrics is what the artefacts hold; where something does not apply, it says so."""

import numpy as np
import pytest
from bs4 import BeautifulSoup
from truerank import report
from truerank.artefacts.files import read_json, read_table, write_json, write_table
from truerank.report.agreement import heat_map
from truerank.report.power import p_value_curves, power_table
from truerank.report.robust import curves, no_order, undefined_sentence


def text_of(block):
    return BeautifulSoup(block.html, "html.parser").get_text()


def test_the_page_opens_with_the_figures_of_the_verdict(study):
    found = read_json(study.results / "verdict/toy.json")["metrics"]
    text = text_of(report.trust(study))
    assert "40 users, 30 items, 414 interactions" in text
    best = found["discriminates"]["cut_off"]
    assert f"{best['metric']}@{best['k']}" in text
    assert f"separates {best['separated']} of 3 pairs" in text
    assert f"{best['dp']:.3g}" in text
    for of_bias in found["robust"].values():
        best = of_bias["overall"]
        others = f"; equalled by {best['equals']} more" if best["equals"] else ""
        assert f"(mean tau {best['tau']:.3f}{others})" in text
    for one, other in found["inseparable"]:
        assert f"{one} and {other}" in text


def verdict_with(results, **changes):
    path = results / "verdict/toy.json"
    content = read_json(path)
    content["metrics"] |= changes.pop("metrics", {})
    write_json(path, content | changes)


def test_sampling_and_inseparable_pairs_are_told(results, config):
    sampling = {"negatives": 100, "samplers": {"drawn": {"orders": 12, "reversed": 5, "right": 0.6}}}
    sampling |= {"estimator": {"name": "mle", "right": 0.9, "equals": 2}}
    verdict_with(results, metrics={"inseparable": [["a", "b"]] * 8}, sampling=sampling)
    text = text_of(report.trust(report.open_study(results, "toy", config, {})))
    assert "so many orders would have been reversed: drawn 5 of 12" in text
    assert "should use mle, which gets 90\u00a0% of the orders right (2 other estimators get as many)" in text
    assert "and 2 more pairs" in text


NOTHING = {"overall": None, "cut_off": None}


def test_no_correction_is_advised_that_does_no_better_than_none(results, config):
    sampling = {"negatives": 100, "samplers": {}, "estimator": {"name": "uncorrected", "right": 0.96, "equals": 0}}
    verdict_with(results, sampling=sampling)
    text = text_of(report.trust(report.open_study(results, "toy", config, {})))
    assert "No correction that was tried orders the models better than none does (96" in text
    assert "Who must sample should use" not in text


def test_where_no_pair_is_separated_no_metric_is_recommended(results, config):
    robust = {"sparsity": NOTHING, "popularity": NOTHING}
    verdict_with(results, metrics={"discriminates": NOTHING, "robust": robust})
    text = text_of(report.trust(report.open_study(results, "toy", config, {})))
    assert "No metric can be recommended: on 40 users no metric separates any of the 3 pairs of models" in text
    assert "More test users would help" in text
    assert "there is no order to keep" in text
    for wrong in ("Report ", "tells models apart best", "kept best by"):
        assert wrong not in text
    config["select"]["datasets"] = ["toy", "toy"]
    index = report.open_index(results, config, {})
    assert "No metric separates any pair of models on toy" in text_of(report.metrics_on_trial(index))
    assert "metric to report" not in text_of(report.metrics_on_trial(index))


def test_power_table_and_curves_are_the_tests(study, ranking):
    tests = read_table(study.results / "meta/toy/holdout/significance.parquet")
    frame = power_table(ranking).frame.set_index("metric")
    own = tests[(tests["metric"] == "ndcg") & (tests["k"] == "5")]["p_value"]
    assert frame.at["ndcg", "5"] == pytest.approx(own.sum())
    figure = p_value_curves(ranking, tests).blocks[1]
    (axes,) = figure.panels.values()
    line = next(line for line in axes.lines if line.get_label() == "@5")
    np.testing.assert_array_equal(line.get_ydata(), np.sort(own)[::-1])


def test_robustness_lines_are_means_over_samples(study):
    swept = read_table(study.results / "meta/toy/holdout/robustness.parquet")
    means = swept.groupby(["bias", "metric", "k", "fraction"], sort=False)["tau"].agg(["mean", "std", no_order])
    axes = next(iter(curves("metrics", [("recall@5", "recall", "5")], means).panels.values()))
    chosen = swept[(swept["bias"] == "sparsity") & (swept["metric"] == "recall") & (swept["k"] == "5")]
    expected = chosen.groupby("fraction")["tau"].mean()
    np.testing.assert_allclose(axes.lines[0].get_ydata(), expected)
    np.testing.assert_allclose(axes.lines[0].get_xdata(), 100 * expected.index.to_numpy())


def test_a_lost_order_is_told(results, config):
    path = results / "meta/toy/holdout/robustness.parquet"
    swept = read_table(path)
    swept.loc[(swept["metric"] == "auc") & (swept["fraction"] < 1), "tau"] = np.nan
    write_table(path, swept)
    assert "under auc@all" in text_of(report.robustness(report.open_study(results, "toy", config, {})))
    assert undefined_sentence(swept.assign(no_order=0)).startswith("Every metric gave")


def test_numbers_stand_in_the_heat_map(study):
    pairs = read_table(study.results / "meta/toy/holdout/correlation.parquet")
    chosen = pairs[(pairs["metric_a"] == "ndcg") & (pairs["metric_b"] == "ndcg")]
    tau = chosen.pivot(index="k_a", columns="k_b", values="tau")
    axes = heat_map("a", tau)
    assert [text.get_text() for text in axes.texts] == [f"{value:.2f}" for value in tau.to_numpy().ravel()]


def test_migration_shares_add_up(study):
    frame = report.migration(study).blocks[1].frame
    assert set(frame["model"]) == {"item_cf"}
    np.testing.assert_allclose(frame["moved"] + frame["accurate"], 1)


def test_one_model(study, config, results):
    config["select"]["ranking"]["models"] = ["random"]
    write_json(results / "verdict/toy.json", {"metrics": None, "sampling": None})
    study = report.open_study(results, "toy", config, {})
    assert "no metric was put on trial" in text_of(report.trust(study))
    for section in (report.discriminative_power, report.robustness, report.correlation):
        assert "with one model there is no pair to tell apart" in text_of(section(study))


def test_no_ranking_part_and_no_predictions(results, config):
    path = results / "meta/toy/holdout/migration.parquet"
    write_table(path, read_table(path).iloc[:0])
    assert "no model of this study predicts ratings" in text_of(
        report.migration(report.open_study(results, "toy", config, {}))
    )
    del config["select"]["ranking"]
    write_json(results / "verdict/toy.json", {"metrics": None, "sampling": None})
    study = report.open_study(results, "toy", config, {})
    for section in (report.robustness, report.migration, report.trust):
        assert "no ranking part" in text_of(section(study))
