"""What figures show is what the artefacts hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.artefacts.files import read_table
from truerank.report.cutoffs import cutoff_figure, labelled
from truerank.report.data import popularity_curve, rating_histogram
from truerank.report.figure import Figure
from truerank.report.ranks import bucket_shares, bucket_uppers, rank_distributions
from truerank.report.standings import interval_plot
from truerank.report.theme import REST, STYLES, mpl, panel, styles

HOSTILE = "<script>alert(1)</script> $x_1$"


def value(part, model, metric, k, column="value"):
    table = read_table(part.study.results / f"metrics/toy/{part.split}/summary.parquet")
    return table.set_index(["model", "metric", "k"]).at[(model, metric, k), column]


def test_cutoff_lines_are_the_summary(ranking):
    figure = cutoff_figure(ranking, {"recall": ["1", "3", "5", "10"]})
    (axes,) = figure.panels.values()
    assert {line.get_label() for line in axes.lines} == {"item_cf", "popularity", "random"}
    for line in axes.lines:
        np.testing.assert_array_equal(line.get_xdata(), [1, 3, 5, 10])
        expected = [value(ranking, line.get_label(), "recall", k) for k in ("1", "3", "5", "10")]
        np.testing.assert_array_equal(line.get_ydata(), expected)


def test_interval_bars_are_the_summary(ranking):
    axes = next(iter(interval_plot(ranking).panels.values()))
    assert axes.get_title(loc="left") == "ndcg@10"
    assert [label.get_text() for label in axes.get_yticklabels()] == ranking.models
    for model, bar, point in zip(ranking.models, axes.lines[::2], axes.lines[1::2], strict=True):
        edges = [value(ranking, model, "ndcg", "10", edge) for edge in ("ci_low", "ci_high")]
        np.testing.assert_array_equal(bar.get_xdata(), edges)
        assert point.get_xdata() == [value(ranking, model, "ndcg", "10")]


def test_rank_bars_count_relevant_test_items(study, ranking):
    table = read_table(study.results / "ranks/toy/holdout/item_cf.parquet")
    ranks = [1 + row.above + row.before for row in table.itertuples() if row.rating >= 4]
    counts = [sum(low <= rank <= high for rank in ranks) for low, high in ((1, 1), (2, 3), (4, 10), (11, 24))]
    figure = rank_distributions(study).blocks[1].blocks[0]
    axes = next(axes for text, axes in figure.panels.items() if "item_cf" in text)
    heights = [bar.get_height() for bar in axes.patches[: len(counts)]]
    np.testing.assert_allclose(heights, 100 * np.array(counts) / len(ranks))
    np.testing.assert_allclose(bucket_shares(ranking).sum(), 1)


@given(st.integers(1, 10**7))
def test_buckets_cover_every_rank_once(largest):
    uppers = bucket_uppers(largest)
    assert uppers == sorted(set(uppers))
    assert uppers[-1] == largest


def test_rating_bars_and_popularity_curve(study):
    _, axes, caption = rating_histogram(study.facts["rating_histogram"])
    assert [bar.get_height() for bar in axes.patches] == list(study.facts["rating_histogram"].values())
    assert "most frequent rating is 4" in caption
    _, axes, _ = popularity_curve(study.popularity)
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), np.sort(study.popularity)[::-1])


def test_binned_ratings_stand_in_the_middle_of_their_bin():
    _, axes, _ = rating_histogram({"0..0.5": 3, "0.5..1": 4})
    assert [bar.get_x() + bar.get_width() / 2 for bar in axes.patches] == pytest.approx([0.25, 0.75])


def test_the_rest_is_grey():
    looks = styles([f"m{n}" for n in range(20)])
    assert len({look.marker for look in STYLES}) == len(STYLES)
    assert [look is REST for look in looks.values()] == [False] * len(STYLES) + [True] * (20 - len(STYLES))


def figure_called(name):
    with panel(name, name, name) as axes:
        axes.plot([1, 2], [1, 2])
        axes.set_xticks([1], [name])
    return Figure("a", {name: axes}, name, {name: STYLES[0]})


def test_names_in_a_figure_are_text():
    html = figure_called(HOSTILE).html
    assert "<script" not in html
    assert html.count("$x_1$") >= 6


def test_a_figure_is_the_same_each_time_whatever_the_users_settings():
    once = figure_called("a").html
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path"}):
        assert figure_called("a").html == once
    assert once.startswith("<figure id=")
    assert '<svg role="img"' in once
    assert "<title>a</title>" in once
    assert "currentColor" in once


def test_labels_of_cut_offs_do_not_touch():
    every = [str(k) for k in (5, *range(10, 101, 10))]
    assert labelled(every) == ["5", "10", "20", "30", "", "50", "", "70", "", "", "100"]
    assert labelled(["1", "5", "10", "20", "50"]) == ["1", "5", "10", "20", "50"]
    assert labelled(["2", "99", "100"]) == ["2", "", "100"]
