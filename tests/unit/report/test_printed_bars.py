"""Printed figures beside ours as bars: every pair is drawn, as long as it says, in the colour of its outcome."""

import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from truerank import report
from truerank.report.compared import AGREES, DIFFERS, UNLIKE, cells
from truerank.report.paper_picture import LOOKS
from truerank.report.printed_bars import CUT, printed_bars, scaled
from truerank.report.theme import PANEL

from tests.unit.report.conftest import FIXTURE

TABLE = {"caption": "Table 9, made up", "digits": 1}


@pytest.fixture
def paper(config):
    return report.open_paper(FIXTURE / "results", FIXTURE / "published.yaml", config, {"commit": "abc"})


def figures(theirs, ours=None, outcome=AGREES):
    """Return a frame of figures: row -> what is printed in each column."""
    rows = [
        {"row": row, "column": f"c{place}", "theirs": value, "ours": (ours or theirs)[row][place], "tolerance": 0.05}
        for row, values in theirs.items()
        for place, value in enumerate(values)
    ]
    frame = pd.DataFrame(rows)
    return frame.assign(expected=frame["theirs"], difference=frame["ours"] - frame["theirs"], outcome=outcome)


def lengths(axes, label):
    """The lengths of the bars of one kind, in points."""
    boxes = [
        path.get_extents() for drawn in axes.collections if drawn.get_label() == label for path in drawn.get_paths()
    ]
    return [box.x1 - box.x0 for box in boxes]


def test_every_pair_of_the_fixture_is_drawn_and_others_are_not(paper):
    table = paper.content["tables"][0]
    frame = cells(table, paper.ours[0])
    figure = printed_bars("table_1", table, frame)
    (axes,) = figure.panels.values()
    outcomes = frame.dropna(subset=["theirs", "ours"])["outcome"].value_counts()
    assert len(lengths(axes, "printed")) == outcomes.sum() == 4
    assert {outcome: len(lengths(axes, outcome)) for outcome in outcomes.index} == outcomes.to_dict()
    assert set(figure.legend) == {"printed", *(f"ours, {outcome}" for outcome in outcomes.index)}
    words = {text.get_text() for text in axes.texts}
    assert {"Random", "Popular", "at 1", "at 5"} <= words
    assert "Newest" not in words, "it was not run here"


def test_names_of_capitals_end_before_the_bars():
    (axes,) = printed_bars("t", TABLE, figures({"LC-NN": [1.0], "MMMM": [2.0]})).panels.values()
    renderer = FigureCanvasAgg(axes.figure).get_renderer()
    names = [text for text in axes.texts if text.get_text() in ("LC-NN", "MMMM")]
    ends = [72 / axes.figure.dpi * text.get_window_extent(renderer).width for text in names]  # they start at 0
    starts = [path.get_extents().x0 for drawn in axes.collections for path in drawn.get_paths()]
    assert max(ends) < min(starts)


def test_words_of_columns_are_not_broken():
    frame = figures({"a very long name": [1.0, 2.0, 3.0]})
    names = {"c0": "Interactions", "c1": "Users", "c2": "Items"}
    figure = printed_bars("t", TABLE, frame.assign(column=frame["column"].map(names)))
    assert len(figure.panels) > 1, "fewer columns in a panel"
    assert set(names.values()) <= {text.get_text() for axes in figure.panels.values() for text in axes.texts}


def test_bars_are_as_long_as_their_figures_say():
    (axes,) = printed_bars("t", TABLE, figures({"a": [1.0], "b": [2.0]}, {"a": [0.5], "b": [1.5]})).panels.values()
    one, full = lengths(axes, "printed")
    assert 0 < full < 72 * PANEL[0]
    assert one == pytest.approx(full / 2)
    assert lengths(axes, AGREES) == pytest.approx([full / 4, 3 * full / 4])


def test_the_tolerance_is_around_what_is_expected():
    frame = figures({"a": [4.0], "b": [8.0]}).assign(tolerance=1.0)
    (axes,) = printed_bars("t", TABLE, frame).panels.values()
    (plain,) = printed_bars("t", TABLE, frame.assign(expected=[6.0, 8.0])).panels.values()
    full = max(lengths(axes, "printed"))
    moved = [line.get_xdata()[0] - other.get_xdata()[0] for line, other in zip(plain.lines, axes.lines, strict=True)]
    assert moved == pytest.approx([full / 4, 0])
    assert "as many users as ours" in printed_bars("t", TABLE, frame.assign(expected=6.0)).caption
    assert "as many users as ours" not in printed_bars("t", TABLE, frame).caption


def test_a_bar_is_a_share_of_its_column_or_row_whichever_hides_less():
    assert set(scaled(figures({"a": [1, 100], "b": [2, 90]}), 0.05)["by"]) == {"column"}
    assert set(scaled(figures({"a": [1, 2], "b": [100, 90]}), 0.05)["by"]) == {"row"}
    assert set(scaled(figures({"a": [1], "b": [2]}), 0.05)["by"]) == {"column"}, "not each bar of its own scale"
    assert set(scaled(figures({"a": [1, 2]}), 0.05)["by"]) == {"row"}


def test_a_figure_far_above_the_others_is_cut_and_marked():
    frame = figures({"a": [1, 1.2, 1.1, 50], "b": [2, 2.2, 2.1, 80], "c": [500, 510, 520, 530]})
    bars = scaled(frame, 0.05)
    assert bars.loc[bars["cut"], "theirs"].tolist() == [50, 80]
    figure = printed_bars("t", TABLE, frame)
    assert sum(CUT in text.get_text() for axes in figure.panels.values() for text in axes.texts) == 2
    assert "longer bars are cut" in figure.caption


def test_figures_below_zero_start_at_the_same_place():
    bars = scaled(figures({"a": [-1, 1], "b": [0.5, 1]}), 0.05)
    assert (bars["low"] <= 0).all()
    assert printed_bars("t", TABLE, figures({"a": [-1, 1], "b": [0.5, 1]})) is not None


def test_a_column_of_zeros_has_bars_without_length():
    (axes,) = printed_bars("t", TABLE, figures({"a": [0], "b": [0]})).panels.values()
    assert lengths(axes, "printed") == [0, 0]


@pytest.mark.parametrize(("n_columns", "n_panels"), [(1, 1), (3, 1), (4, 2), (8, 3), (10, 3), (14, 3)])
def test_wide_tables_are_several_panels(n_columns, n_panels):
    figure = printed_bars("t", TABLE, figures({"a": list(range(1, n_columns + 1))}))
    assert len(figure.panels) == n_panels
    assert len({axes.figure.get_size_inches()[1] for axes in figure.panels.values()}) == 1


def test_the_text_says_what_is_seen():
    frame = figures({"a": [1.0, 2.0]}, {"a": [1.0, 1.5]}).assign(outcome=[AGREES, DIFFERS])
    (said,) = printed_bars("t", TABLE, frame).panels
    assert "1 agrees, 1 differs; furthest apart a, c1: 2.0 printed, 1.5 here" in said


def test_without_a_pair_there_is_no_picture():
    frame = figures({"a": [1.0]}).assign(ours=float("nan"))
    assert printed_bars("t", TABLE, frame) is None


def test_figures_that_are_not_judged_are_grey_and_have_no_sign():
    figure = printed_bars("t", TABLE, figures({"a": [1.0]}, {"a": [2.0]}, UNLIKE))
    (axes,) = figure.panels.values()
    assert figure.legend[f"ours, {UNLIKE}"] == LOOKS[UNLIKE]
    assert not any("≠" in text.get_text() for text in axes.texts)
    assert "tolerance" not in figure.caption


def test_every_table_of_a_page_with_a_pair_has_its_picture(paper):
    page = report.paper_tables(paper).html
    assert 'id="table_1_bars"' in page
    assert 'id="table_2_bars"' in page
