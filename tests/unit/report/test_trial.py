"""What the report says of the metrics is what the artefacts hold; where something does not apply, it says so."""

import numpy as np
import pytest
from bs4 import BeautifulSoup
from truerank import report
from truerank.artefacts.files import read_json, read_table, write_json, write_table
from truerank.report.agreement import heat_map
from truerank.report.pairs import pair_table
from truerank.report.power import p_value_curves, power_table
from truerank.report.robust import curves, mean_taus, undefined_sentence


def text_of(block):
    return BeautifulSoup(block.html, "html.parser").get_text()


def test_the_page_opens_with_the_figures_of_the_verdict(study):
    found = read_json(study.results / "verdict/toy.json")["metrics"]
    assert "40 users, 30 items, 414 interactions" in text_of(report.first_screen(study))
    text = text_of(report.trust(study))
    named = f"{found['metric']}@{found['k']}"
    inside = f"{len(found['set'])} of {found['of']} metrics"
    assert f"{inside} are not significantly worse than the best, more than half" in text
    assert f"{named} is recommended by convention" in text
    assert f"in the best set in {round(100 * found['stability'])} of 100 bootstrap resamples of your users" in text
    assert f"By {named}, {found['separated']} of 3 pairs are separated" in text
    assert f"sum to {found['dp']:.3g}" in text
    for of_bias in found["robust"].values():
        own = of_bias["named"]
        inside = f"{of_bias['set']} of {of_bias['of']} metrics"
        assert f"{inside} are not significantly worse than the one that keeps the order" in text
        assert f"tau of {named} is {own['tau']:.3f}, standard error {own['tau_se']:.3f}" in text


SENTENCES = {
    "same": "The models give the same lists to all users",
    "all": "the choice does not matter here",
    "none": "These 40 users do not separate the metrics",
    "some": "metrics are not significantly worse than the best.",
}


@pytest.mark.parametrize("case", SENTENCES)
def test_every_case_has_its_sentence(results, config, case):
    verdict_with(results, metrics={"case": case})
    text = text_of(report.trust(report.open_study(results, "toy", config, {})))
    assert [other for other, sentence in SENTENCES.items() if sentence in text] == [case]


def test_one_metric_in_the_set_is_to_be_reported(results, config):
    verdict_with(results, metrics={"case": "some", "set": ["ndcg@3"], "same_pairs": [["a", "<b>"]]})
    html = report.trust(report.open_study(results, "toy", config, {})).html
    assert "better than the other 11 metrics" in html
    assert "<b>a</b> and <b>&lt;b&gt;</b>" in html


def test_users_for_a_handful(results, config):
    many = [f"ndcg@{k}" for k in range(6)]
    for needed, told in ((12345, "About 12,000 users"), (None, "no number of users would separate them")):
        verdict_with(results, metrics={"set": many, "users_for_handful": needed})
        assert told in text_of(report.trust(report.open_study(results, "toy", config, {})))


def test_the_headline_is_the_configs_or_what_the_verdict_names(results, config):
    study = report.open_study(results, "toy", config, {})
    assert study.parts[0].headlines[0] == ("ndcg", "10")
    del config["headline"]
    study = report.open_study(results, "toy", config, {})
    named = study.verdict["metrics"]["metric"], study.verdict["metrics"]["k"]
    assert study.parts[0].headlines[0] == named
    assert study.parts[1].headlines == [("recall", named[1]), ("auc", "all")], "a part without it keeps its cut-off"
    write_json(results / "verdict/toy.json", {"metrics": None, "sampling": None})
    assert report.open_study(results, "toy", config, {}).parts[0].headlines[0] == ("precision", "1")


def test_differences_have_intervals_effects_and_what_was_detectable(study, ranking):
    tests = read_table(study.results / "meta/toy/holdout/significance.parquet")
    own = tests[(tests["metric"] == "ndcg") & (tests["k"] == "10")]
    frame = pair_table(ranking).frame
    for name in ("difference", "ci_low", "ci_high", "effect_size", "p_holm", "p_fdr"):
        np.testing.assert_array_equal(frame[name], own[name])
    values = read_table(study.results / "metrics/toy/holdout/per_user.parquet").pivot(index="user", columns="model")
    values = values["ndcg@10"].fillna(0)
    spread = [(values[a] - values[b]).std() for a, b in zip(own["model_a"], own["model_b"], strict=True)]
    np.testing.assert_allclose(frame["detectable"], 2.8015852 * np.array(spread) / np.sqrt(40), rtol=1e-6)
    assert "could have shown a difference of" in text_of(report.trust(study))


def verdict_with(results, **changes):
    path = results / "verdict/toy.json"
    content = read_json(path)
    content["metrics"] |= changes.pop("metrics", {})
    write_json(path, content | changes)


def test_sampling_is_told(results, config):
    sampling = {"negatives": 100, "samplers": {"drawn": {"orders": 12, "reversed": 5, "right": 0.6}}}
    sampling |= {"estimator": {"name": "mle", "right": 0.9, "equals": 2}}
    verdict_with(results, sampling=sampling)
    text = text_of(report.trust(report.open_study(results, "toy", config, {})))
    assert "these numbers of orders would be reversed: drawn 5 of 12" in text
    assert "use mle, which gets 90\u00a0% of the orders right (2 other estimators get as many)" in text


def test_no_correction_is_advised_that_does_no_better_than_none(results, config):
    sampling = {"negatives": 100, "samplers": {}, "estimator": {"name": "uncorrected", "right": 0.96, "equals": 0}}
    verdict_with(results, sampling=sampling)
    text = text_of(report.trust(report.open_study(results, "toy", config, {})))
    assert "None of the corrections orders the models better than no correction (96" in text
    assert "If you must sample, use" not in text


def test_where_no_order_is_left_robustness_says_so(results, config):
    verdict_with(results, metrics={"robust": {"sparsity": None, "popularity": None}})
    text = text_of(report.trust(report.open_study(results, "toy", config, {})))
    assert text.count("there is no order to keep") == 2


def test_verdicts_side_by_side(results, config):
    config["select"]["datasets"] = ["toy", "toy"]
    index = report.open_index(results, config, {})
    text = text_of(report.metrics_on_trial(index))
    assert "ndcg@3 is named on every dataset" in text
    assert "8 of 12" in text


def test_power_table_and_curves_are_the_tests(study, ranking):
    tests = read_table(study.results / "meta/toy/holdout/significance.parquet")
    frame = power_table(ranking).frame.set_index("metric")
    own = tests[(tests["metric"] == "ndcg") & (tests["k"] == "5")]["p_value"]
    assert frame.at["ndcg", "5"] == pytest.approx(own.sum())
    _, axes = p_value_curves(ranking, tests).panels.values()
    line = next(line for line in axes.lines if line.get_label() == "@5")
    np.testing.assert_array_equal(line.get_ydata(), np.sort(own)[::-1])


def test_robustness_lines_are_means_over_samples(study):
    swept = read_table(study.results / "meta/toy/holdout/robustness.parquet")
    axes = next(iter(curves("metrics", [("recall@5", "recall", "5")], mean_taus(swept)).panels.values()))
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
    assert undefined_sentence(swept.assign(no_order=0)).startswith("Every metric ordered")


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
    assert "so the metrics were not compared" in text_of(report.trust(study))
    for section in (report.discriminative_power, report.robustness, report.correlation):
        assert "with one model there is no pair to compare" in text_of(section(study))


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
