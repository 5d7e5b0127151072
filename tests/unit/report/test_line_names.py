"""Names beside lines: at the ends of their lines, apart, inside the picture, and a legend where there is no room."""

from itertools import combinations

import numpy as np
import pytest
from truerank.report.canvas import to_svg
from truerank.report.figure import Figure
from truerank.report.line_names import LONGEST, name_lines, right_end, within
from truerank.report.theme import REST, STYLES, panel, styles


def drawn(names, ends, **more):
    """A panel with a line per name, from 0 to its end, the looks, and its figure."""
    looks = styles(names)
    with panel("title", "x", "y") as axes:
        for (_, look), end in zip(looks.items(), ends, strict=True):
            axes.plot([1, 2, 3], [0, end / 2, end], color=look.colour)
        for change, value in more.items():
            getattr(axes, change)(*value)
    return axes, looks, Figure("lines", {"Lines": axes}, "A caption.", looks, lines=True)


def test_every_name_stands_beside_the_end_of_its_line():
    axes, looks, figure = drawn(["a", "b", "c"], [0.1, 0.9, 0.5])
    assert figure.legend == {}
    html = figure.html
    names = {text.get_text(): text.xy[1] for text in axes.texts if text.get_text() in looks}
    for name, end in zip("abc", (0.1, 0.9, 0.5), strict=True):
        place = axes.transAxes.inverted().transform(axes.transData.transform((3, end)))[1]
        assert names[name] == pytest.approx(place, abs=1e-9)
    assert "legend" not in html


def test_names_of_lines_that_end_together_stand_apart_and_inside():
    axes, looks, _ = drawn([f"model {n}" for n in range(8)], [0] * 8, set_ylim=(0, 1))
    name_lines(axes, looks)
    to_svg(axes.figure)
    axes.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts if text.get_text() in looks]
    assert len(boxes) == 8
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    whole = axes.figure.bbox
    assert all(whole.x0 <= box.x0 and box.x1 <= whole.x1 and whole.y0 <= box.y0 and box.y1 <= whole.y1 for box in boxes)


def test_a_line_is_named_where_it_leaves_the_axes_also_when_they_are_reversed():
    axes, looks, _ = drawn(["a"], [1], set_xlim=(0, 2.5), set_ylim=(0, 1))
    assert right_end(axes, looks["a"]) == pytest.approx(0.5)
    axes, looks, _ = drawn(["a"], [1], set_xlim=(3, 1), set_ylim=(0, 1))
    assert right_end(axes, looks["a"]) == 0
    assert right_end(axes, STYLES[5]) is None


def test_long_names_keep_their_legend_and_grey_lines_their_entry():
    _, looks, figure = drawn(["a", "m" * (LONGEST + 1)], [0, 1])
    assert figure.beside == {}
    assert figure.legend == looks
    many = [f"m{n}" for n in range(len(STYLES) + 3)]
    _, looks, figure = drawn(many, np.linspace(0, 1, len(many)))
    assert list(figure.beside) == many[: len(STYLES)]
    assert figure.legend == {"the other 3, in grey": REST}


def test_metrics_have_the_room_that_their_written_names_take():
    _, _, figure = drawn(["ndcg_full_of_all@50"], [1])  # nDCG@50 (full of all)
    assert figure.beside == {}
    axes, _, figure = drawn(["ndcg_full@50"], [1])
    assert "nDCG@50 (full)" in figure.html
    assert "nDCG@50 (full)" in [text.get_text() for text in axes.texts]


def test_places_are_moved_inside_in_their_order():
    np.testing.assert_allclose(within(np.array([-0.2, 0.3, -0.1]), 0.1), [0, 0.3, 0.1])
    np.testing.assert_allclose(within(np.array([1.2, 1.1]), 0.1), [1, 0.9])
