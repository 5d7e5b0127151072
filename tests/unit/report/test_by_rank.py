"""Metrics as functions of the rank, the fit of ranks, mapped winners and effort: what is drawn is what was computed."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from truerank import report
from truerank.report import error_by_cost as by_cost
from truerank.report.by_rank import exact_figure, mean_candidates, of_example, of_study, sampled_figure
from truerank.report.error_by_cost import error_and_cost, way
from truerank.report.mapped import density_figure, mapping_figure
from truerank.report.sampled import artefact


@pytest.fixture
def sampling(study):
    return study.parts[1]


def axes_of(figure, word):
    return next(axes for text, axes in figure.panels.items() if word in text)


@pytest.mark.slow
def test_every_panel_has_labels_and_the_figure_a_caption(study):
    sections = [report.metrics_by_rank, report.corrected_by_rank, report.rank_fits, report.sampling_cost]
    for section in sections:
        block = section(study)
        figures = [each for each in getattr(block, "blocks", [block]) if hasattr(each, "panels")]
        assert figures
        for figure in figures:
            assert figure.caption.endswith(".")
            assert all(axes.get_xlabel() and axes.get_ylabel() for axes in figure.panels.values())
            assert figure.html.startswith("<figure id=")


def test_exact_lines_are_the_metrics(sampling):
    figure = exact_figure(of_study(sampling))
    assert list(figure.beside) == ["recall@10", "auc@all"]
    n_items = mean_candidates(sampling)
    axes = axes_of(figure, f"up to {n_items}")
    recall, auc = axes.lines
    np.testing.assert_array_equal(recall.get_ydata(), recall.get_xdata() <= 10)
    np.testing.assert_allclose(auc.get_ydata(), (n_items - auc.get_xdata()) / (n_items - 1))


def test_sampled_lines_are_the_expectation(sampling):
    """One negative: recall@10 is always 1; ten: it fails only if all ten are above; AUC stays a straight line."""
    figure = sampled_figure(of_study(sampling))
    n_items = mean_candidates(sampling)
    one, ten, exact = axes_of(figure, "recall@10").lines
    np.testing.assert_allclose(one.get_ydata(), 1)
    share = (ten.get_xdata() - 1) / (n_items - 1)
    np.testing.assert_allclose(ten.get_ydata(), 1 - share**10, atol=1e-12)
    np.testing.assert_array_equal(exact.get_ydata(), exact.get_xdata() <= 10)
    for line in axes_of(figure, "auc@all").lines:
        np.testing.assert_allclose(line.get_ydata(), (n_items - line.get_xdata()) / (n_items - 1), atol=1e-12)


def test_a_worked_example_has_its_own_items_and_cut_offs(study, config):
    """AP of one item is 1 / R among all items, and nothing is cut off."""
    metrics = {"recall": {"kind": "recall"}, "ap": {"kind": "ap"}}
    drawn = of_example({"items": 10_000, "metrics": metrics}, ["recall@10", "ap@all"])
    exact, sampled = report.metrics_by_rank(study, drawn).blocks
    assert list(exact.beside) == ["recall@10", "ap@all"]
    _, ap = axes_of(exact, "up to 10,000").lines
    assert ap.get_xdata()[-1] == 10_000
    np.testing.assert_allclose(ap.get_ydata(), 1 / ap.get_xdata())
    assert axes_of(sampled, "ap@all").lines[-1].get_xdata()[-1] == 1000
    (corrected,) = report.corrected_by_rank(study, drawn).blocks
    assert "ap@all from 5 negatives of 10,000 candidates" in corrected.caption
    np.testing.assert_allclose(axes_of(corrected, "expected").lines[0].get_ydata()[-1], 1e-4)


def test_corrected_lines(study, config):
    """The uncorrected weight of a sampled rank is the metric in the set; estimators that fit are not drawn."""
    config["estimators"]["bv"] = {"kind": "bias_variance", "gamma": 0.1}
    config["select"]["sampling"]["estimators"].append("bv")
    (figure,) = report.corrected_by_rank(study).blocks
    assert list(figure.beside) == ["uncorrected", "bv"]
    plain, corrected = axes_of(figure, "weight").lines
    assert plain.get_xdata().tolist() == [1, 2, 3, 4, 5, 6]
    np.testing.assert_array_equal(plain.get_ydata(), 1)
    assert corrected.get_ydata()[0] > corrected.get_ydata()[-1]
    exact, plain, corrected = axes_of(figure, "expected").lines
    n_items = mean_candidates(study.parts[1])
    assert (exact.get_xdata()[0], exact.get_xdata()[-1]) == (1, n_items)
    np.testing.assert_array_equal(exact.get_ydata(), exact.get_xdata() <= 10)
    error = [np.abs(line.get_ydata() - exact.get_ydata()).mean() for line in (plain, corrected)]
    assert error[1] < error[0]


def test_without_weights_or_fixed_sets_there_is_nothing_to_correct_by_rank(study, config):
    config["select"]["sampling"]["estimators"] = ["mle"]
    assert "does not apply" in report.corrected_by_rank(study).html
    config["select"]["sampling"] |= {"estimators": ["uncorrected"], "samplers": ["adaptive"]}
    assert "does not apply" in report.corrected_by_rank(study).html


def test_density_is_a_density(sampling):
    ranks = {model: sampling.ranks(model) for model in sampling.models}
    (axes,) = density_figure(sampling, ranks).panels.values()
    n_items = mean_candidates(sampling)
    edges = np.append(0, np.unique(np.geomspace(1, max(r["candidates"].max() for r in ranks.values()), 16).round()))
    for line in axes.lines[3:]:
        place = np.searchsorted(edges, line.get_xdata() * n_items) - 1
        assert (line.get_ydata() * np.diff(edges)[place]).sum() / n_items == pytest.approx(1)


def test_a_set_as_large_as_the_catalogue_is_not_mapped(sampling, monkeypatch):
    assert "no sample to map" in mapping_figure(sampling).html
    monkeypatch.setitem(sampling.study.facts, "items", 25_815)
    (axes,) = mapping_figure(sampling).panels.values()
    steep, half, near, _, bound = (line.get_ydata() for line in axes.lines)
    assert abs(steep[-1]) < abs(steep[0])
    assert (np.abs(steep) > np.abs(half)).all()
    assert (np.abs(half) > np.abs(near)).all()
    assert bound[0] == pytest.approx(100 * (130 / 259.14 - 1), abs=1)  # f(1): bound 130, beta(1) 1 + 25,814 / 100


def test_the_fitted_exponent_is_in_its_table(study):
    frame = pd.read_csv(pd.io.common.StringIO(report.rank_fits(study).files["rank_exponents.csv"])).set_index("model")
    ranks = study.parts[1].ranks("item_cf")
    a, *_ = stats.beta.fit((ranks["rank"] - 0.5) / ranks["candidates"], fb=1, floc=0, fscale=1)
    assert frame.at["item_cf", "a"] == pytest.approx(a, rel=1e-4)


def test_winners_of_mapped_recall(study):
    table = artefact(study.parts[1], "meta", "mapped")
    frame = report.mapping_winners(study).frame
    assert list(frame["k"]) == sorted(table["k"].astype(int).unique())
    for row in table.itertuples():
        shown = frame[frame["k"] == int(row.k)].iloc[0]
        assert (shown[f"f {row.mapping}"], shown[f"right {row.mapping}"]) == (row.f, 100 * row.right / row.repeats)


def test_cost_has_a_row_for_all_models_where_they_cost_the_same(study):
    table, _, figure = report.sampling_cost(study).blocks
    assert table.frame.groupby("sampler")["model"].apply(list).to_dict() == {
        "uniform": ["every model"],
        "adaptive": ["item_cf", "popularity", "random"][::-1],
        "users": ["every model"],
    }
    assert table.frame.set_index("sampler").at["uniform", "expected"] == 6
    effort = artefact(study.parts[1], "meta", "effort")
    (axes,) = figure.panels.values()
    drawn = np.concatenate([line.get_ydata() for line in axes.lines[::2]])
    np.testing.assert_allclose(np.sort(drawn), np.sort(effort["expected_cost"]))


def test_error_by_cost_has_a_point_per_sampler_and_estimator(study):
    part = study.parts[1]
    _, figure, _ = report.sampling_cost(study).blocks
    metric, points = error_and_cost(part)
    error = artefact(part, "meta", "error")
    assert len(points) == len(error[error.metric == metric].drop_duplicates(["sampler", "estimator"]))
    (axes,) = figure.panels.values()
    drawn = np.concatenate([line.get_ydata() for line in axes.lines])
    wanted = error[error.metric == metric].groupby(["sampler", "estimator"]).error.mean()
    np.testing.assert_allclose(np.sort(drawn), np.sort(100 * wanted[wanted > 0]))
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert way({"kind": "uniform", "negatives": 5}, "mle") == "mle"
    assert way({"kind": "draw", "negatives": 5}, "mle") == "draw, mle"
    assert way({"kind": "informed", "proxy": "ials"}, "informed") == "informed by ials"


def test_the_exact_mode_is_a_dotted_line_and_no_point_and_the_best_ways_have_colour(study, monkeypatch):
    rows = [(f"way {number}", 50.0, 0.5 - 0.04 * number, False, np.nan, None) for number in range(10)]
    rows += [("informed by popularity", 200.0, 1e-17, True, 10, "popularity")]
    points = pd.DataFrame(rows, columns=["way", "scores", "error", "exact", "k", "proxy"])
    monkeypatch.setattr(by_cost, "error_and_cost", lambda part: ("recall", points))
    figure = by_cost.error_by_cost(study.parts[1])
    (axes,) = figure.panels.values()
    assert min(line.get_ydata().min() for line in axes.lines if line.get_linestyle() != ":") > 1
    assert [line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == ":"] == [200]
    assert next(iter(figure.beside | figure.legend)) == "way 9"
    assert "up to @10" in figure.caption
