"""The three pictures of the first screen show what the artefacts hold, for studies large and small."""

import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import yaml
from bs4 import BeautifulSoup
from truerank import report
from truerank.artefacts.files import read_json, read_table, write_json
from truerank.report.bibliography import ENTRIES
from truerank.report.canvas import to_svg
from truerank.report.far_worse import far_worse
from truerank.report.labels import Label, name_points, spread
from truerank.report.short_names import LONGEST, short_names
from truerank.report.theme import CARD, GREY, panel
from truerank.report.which_metric import judged_metrics, metric_figure
from truerank.report.which_model import model_figure
from truerank.report.which_order import changed, order_figure, reversed_pairs, sampled_orders

from tests.support import ROOT


def the_axes(figure):
    (axes,) = figure.panels.values()
    return axes


def text_of(block):
    return " ".join(BeautifulSoup(block.html, "html.parser").get_text(" ").split())


def opened(results, config):
    return report.open_study(results, "toy", config, {"versions": {"truerank": "9.9"}})


def test_every_metric_of_the_trial_is_a_point(study, ranking):
    axes = the_axes(metric_figure(ranking))
    points = np.vstack([drawn.get_offsets() for drawn in axes.collections])
    power = read_table(study.results / "meta/toy/holdout/discriminative_power.parquet")
    tau = read_table(study.results / "meta/toy/holdout/robustness_summary.parquet")
    mean = tau.groupby(["metric", "k"])["tau"].mean()
    for row in power.itertuples():
        at = (row.criterion, mean[(row.metric, row.k)])
        assert np.isclose(points, at).all(axis=1).any(), (row.metric, row.k)
    texts = [text.get_text() for text in axes.texts]
    assert {"nDCG@3", "nDCG@10", "Recall@10"} <= set(texts)
    best = read_json(study.results / "verdict/toy.json")["metrics"]
    assert f"the {len(best['set'])} of the best set" in metric_figure(ranking).caption


def test_without_robustness_the_cut_off_takes_its_place(study, ranking, monkeypatch):
    empty = pd.DataFrame(columns=["metric", "k", "tau"])
    monkeypatch.setattr("truerank.report.which_metric.robustness_of", lambda part: empty)
    figure = metric_figure(ranking)
    assert the_axes(figure).get_ylabel() == "cut-off"
    assert [tick.get_text() for tick in the_axes(figure).get_yticklabels()] == ["1", "3", "5", "10", "all"]
    assert "further up" not in figure.caption
    assert figure.html


def test_points_far_off_do_not_take_the_room(ranking, monkeypatch):
    far = judged_metrics(ranking).copy()
    outside = far.index[~far["in_best_set"] & ~far["named"]][0]
    far.loc[outside, "x"] = -1000.0
    monkeypatch.setattr("truerank.report.which_metric.judged_metrics", lambda part: far)
    figure = metric_figure(ranking)
    assert the_axes(figure).get_xlim()[0] > -10
    assert "1 far below" in figure.caption


def test_metrics_that_are_all_alike_have_an_axis_that_can_be_read(ranking, monkeypatch):
    alike = judged_metrics(ranking).assign(x=5.0, criterion=5.0, tau=1.0)
    alike.loc[alike.index[0], "tau"] = 0.99996
    monkeypatch.setattr("truerank.report.which_metric.judged_metrics", lambda part: alike)
    figure = metric_figure(ranking)
    axes = the_axes(figure)
    assert np.ptp(axes.get_xlim()) > 0.1
    assert np.ptp(axes.get_ylim()) > 0.1
    assert axes.get_xlim()[1] < 5.05, "no mean z is larger than its cap"
    assert axes.get_ylim()[1] < 1.05
    assert "far below" not in figure.caption


def test_the_upright_axis_of_one_point_has_room_for_its_name(ranking, monkeypatch):
    one = judged_metrics(ranking).assign(x=5.0, criterion=5.0, tau=1.0)
    monkeypatch.setattr("truerank.report.which_metric.judged_metrics", lambda part: one)
    axes = the_axes(metric_figure(ranking))
    to_svg(axes.figure)
    axes.figure.draw_without_rendering()
    name, page = axes.yaxis.label.get_window_extent(), axes.figure.bbox
    assert page.y0 <= name.y0 < name.y1 <= page.y1


def test_the_leaderboard_has_values_intervals_and_letters(ranking):
    axes = the_axes(model_figure(ranking))
    rows = ranking.standings("ndcg", "10")
    assert [text.get_text() for text in axes.texts[::2]] == list(rows["model"])
    for row, bar, interval, text in zip(rows.itertuples(), axes.patches, axes.lines, axes.texts[1::2], strict=True):
        assert (bar.get_x(), bar.get_width()) == (0, row.value)
        np.testing.assert_array_equal(interval.get_xdata(), [row.ci_low, row.ci_high])
        assert text.get_text().startswith(f"{row.value:.3f}  ")
    assert [text.get_text()[-1] for text in axes.texts[1::2]] == ["a", "a", "b"]
    assert axes.get_xlim()[0] == 0


def many_models(ranking, monkeypatch, values):
    """Make a part's standings those of many models."""
    rows = pd.DataFrame({"model": [f"model_{n}" for n in range(len(values))], "value": values})
    rows = rows.assign(ci_low=rows["value"] - 0.01, ci_high=rows["value"] + 0.01)
    monkeypatch.setattr(type(ranking), "standings", lambda part, metric, k: rows)
    return rows


def test_of_many_models_those_far_behind_do_not_take_the_room(ranking, monkeypatch):
    rows = many_models(ranking, monkeypatch, [*np.linspace(0.5, 0.4, 18), 0.01])
    axes = the_axes(model_figure(ranking))
    assert 0.3 < axes.get_xlim()[0] < 0.4
    assert [tick.get_text() for tick in axes.get_yticklabels()] == list(rows["model"])
    assert [text.get_text()[:5] for text in axes.texts] == [f"{value:.3f}" for value in rows["value"]]
    edge = axes.lines[-1]
    assert edge.get_marker() == "<"
    assert axes.get_xlim()[0] <= edge.get_xdata()[0] < 0.4
    assert "An arrow stands for a value far beyond the axis" in model_figure(ranking).caption
    few = many_models(ranking, monkeypatch, [0.5, 0.49, 0.48, 0.01])
    assert len(the_axes(model_figure(ranking)).patches) == len(few), "each of a few has its bar"


@pytest.mark.parametrize(("higher", "far"), [(True, 0.0), (False, 9.0)])
def test_far_worse_is_on_the_bad_side_alone(higher, far):
    values = pd.Series([1.0, 1.1, 1.2, 1.3, 1.4] * 3 + [0.0, 9.0])
    assert values[far_worse(values, higher)].tolist() == [far]
    assert not far_worse(values[:4], higher).any()


def test_long_names_are_shortened_and_stay_apart():
    names = [f"item_based_filtering_power_{power}_neighbours_{n}" for power in ("0_5", 1, 2) for n in (10, 50, 200)]
    short = short_names([*names, "ease", "m" * 80, "n" * LONGEST])
    assert short["ease"] == "ease"
    assert short["n" * LONGEST] == "n" * LONGEST
    assert max(map(len, short.values())) <= LONGEST
    assert len(set(short.values())) == len(short)
    assert short[names[0]].endswith("0_5_nei_10")
    alike = short_names(["a" * 40 + "_one_b", "a" * 40 + "_only_b"])
    assert len(set(alike.values())) == 2


def test_names_and_headings_of_many_models_stand_apart(study, monkeypatch):
    names = [f"item_based_filtering_power_{n}_neighbours_200" for n in range(30)]
    places = np.arange(1, 31.0)
    columns = {"all candidates": places, "100 negatives\nuncorrected": places[::-1], "corrected,\ncls": places}
    monkeypatch.setattr("truerank.report.which_order.sampled_orders", lambda part: pd.DataFrame(columns, names))
    figure = order_figure(study)
    axes = the_axes(figure)
    to_svg(axes.figure)
    axes.figure.draw_without_rendering()
    for texts in (axes.texts, axes.get_xticklabels()):
        boxes = [text.get_window_extent().padded(-1) for text in texts]
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert len({line.get_color() for line in axes.lines} - {GREY}) == 8
    assert "Lines in colour are the 8 that move furthest" in figure.caption
    assert {text.get_text() for text in axes.texts[30:]} == {f"{place:g}" for place in places}


def test_orders_are_those_of_the_artefacts(study):
    part = study.parts[1]
    orders = sampled_orders(part)
    accuracy = read_table(study.results / "meta/toy/last_one/accuracy.parquet")
    rows = accuracy[(accuracy["metric"] == "recall") & (accuracy["k"] == "10") & (accuracy["sampler"] == "uniform")]
    assert list(orders.columns) == ["all candidates", "5 negatives\nuncorrected", "corrected,\nmle"]
    for column, estimator in zip(orders.columns[1:], ("uncorrected", "mle"), strict=True):
        means = rows[rows["estimator"] == estimator].set_index("model")["mean"]
        for one, other in combinations(part.models, 2):
            assert np.sign(orders[column][one] - orders[column][other]) == np.sign(means[other] - means[one])


def test_models_that_change_places_are_in_colour(study, monkeypatch):
    orders = pd.DataFrame(
        {"exact": [1, 2, 3, 4], "sampled": [2, 1, 3.5, 3.5], "corrected": [1, 2, 3, 4]}, index=list("abcd")
    )
    assert reversed_pairs(orders["exact"], orders["sampled"]) == [("a", "b")]
    assert changed(orders) == ["a", "b"]
    monkeypatch.setattr("truerank.report.which_order.sampled_orders", lambda part: orders)
    figure = order_figure(study)
    lines = {line.get_label(): line for line in the_axes(figure).lines}
    assert {name for name, line in lines.items() if line.get_color() != GREY} == {"a", "b"}
    assert "reverses 1 of 6 pairs and makes 1 equal." in figure.caption


@pytest.mark.parametrize("models", [["item_cf"], ["item_cf", "random"]])
def test_a_study_of_few_models_has_its_screen(results, config, models):
    for part in ("ranking", "sampling"):
        config["select"][part]["models"] = models
    verdict = results / "verdict/toy.json"
    if len(models) == 1:
        write_json(verdict, {"metrics": None, "sampling": None})
    screen, papers = report.first_screen(opened(results, config)), report.for_papers(opened(results, config))
    text = text_of(screen)
    assert "item_cf is the only model" in text if len(models) == 1 else "item_cf leads with" in text
    assert "item_cf reaches ndcg@10 = 0.4748" in text_of(papers)
    assert "Holm’s adjustment" not in text_of(papers)


def test_a_study_without_sampling_or_without_ranking(results, config):
    parts = config["select"]
    config["select"] = {name: parts[name] for name in ("datasets", "ranking")}
    text = text_of(report.first_screen(opened(results, config)))
    assert "every number on this page is exact" in text
    assert "krichene2020" not in text_of(report.for_papers(opened(results, config)))
    config["select"] = {name: parts[name] for name in ("datasets", "sampling")}
    assert "so the metrics were not compared" in text_of(report.first_screen(opened(results, config)))
    config["select"] = {"datasets": ["toy"]}
    assert "selects no part" in text_of(report.first_screen(opened(results, config)))
    assert report.for_papers(opened(results, config)).html == ""


def test_sentences_for_a_paper_have_the_numbers(study):
    text = text_of(report.for_papers(study))
    tests = read_table(study.results / "meta/toy/holdout/significance.parquet")
    tests = tests[(tests["metric"] == "ndcg") & (tests["k"] == "10")]
    pair = tests[(tests[["model_a", "model_b"]].isin(["item_cf", "popularity"])).all(axis=1)]
    assert f"p = {pair['p_holm'].iloc[0]:.2g} after Holm’s adjustment for 3 pairs" in text
    assert "40 test users, split holdout" in text
    assert "reversed 4 of 14 orders of models (28.6 %, sampler uniform)" in text


def test_sources_are_those_that_the_project_cites():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    titles = {one.get("doi", "").lower(): one["title"] for one in cited["references"]}
    for entry in ENTRIES.values():
        doi, title = (re.search(rf"{key} = {{([^}}]*)}}", entry) for key in ("doi", "title"))
        if doi and doi[1].lower() in titles:
            assert titles[doi[1].lower()] == " ".join(title[1].split())
    assert sum(f"doi = {{{doi}}}".lower() in entry.lower() for doi in titles for entry in ENTRIES.values() if doi) >= 4


def test_names_of_points_stand_apart_and_inside():
    with panel(height=CARD[1], width=CARD[0]) as axes:
        axes.set(xlim=(0, 1), ylim=(0, 1))
        points = np.array([[0.95, 0.5], [0.9, 0.5], [0.85, 0.52], [0.1, 0.98]])
        name_points(axes, [Label(f"name {place}", x, y) for place, (x, y) in enumerate(points)], points)
    axes.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    whole = axes.figure.bbox
    for box in boxes:
        assert whole.x0 <= box.x0
        assert box.x1 <= whole.x1
        assert box.y1 <= whole.y1
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_places_are_spread_no_more_than_needed():
    np.testing.assert_allclose(spread([3, 1, 2], 0.5), [3, 1, 2])
    np.testing.assert_allclose(spread([1, 1, 1], 1), [0, 1, 2])
    np.testing.assert_allclose(spread([0, 0, 5], 1), [-0.5, 0.5, 5])
