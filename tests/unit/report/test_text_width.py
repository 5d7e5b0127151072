"""Lines of text fit into the width that they have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.textpath import TextPath
from truerank.report.text_width import text_width, wrapped
from truerank.report.theme import theme

WORDS = st.lists(st.text("abMW@i", min_size=1, max_size=12), min_size=1, max_size=12)


def test_capitals_are_wider_and_sizes_scale():
    assert text_width("MMMM", 8) > 1.4 * text_width("aaaa", 8)
    assert text_width("word", 16) == pytest.approx(2 * text_width("word", 8), rel=0.02)
    assert text_width(" ", 8) == 0


@pytest.mark.parametrize("text", ["Interactions of $users$ and $items$", r"costs $\foo$"])
def test_dollars_are_letters_as_where_they_are_drawn(text):
    with theme():
        drawn = TextPath((0, 0), text, size=8).get_extents().x1
    assert text_width.__wrapped__(text, 8) == drawn
    assert text_width.__wrapped__("$users$", 8) > text_width("users", 8)


@given(WORDS, st.floats(60, 300), st.integers(1, 4))
def test_lines_are_no_wider_and_no_more_than_asked(words, width, n_lines):
    found = wrapped(" ".join(words), width, 8, n_lines)
    assert 1 <= len(found) <= n_lines
    assert all(text_width(line, 8) <= width for line in found)
    assert found[-1].endswith("…") or "".join(found).replace(" ", "") == "".join(words)


def test_text_that_fits_is_one_line():
    assert wrapped("It holds.", 100, 8, 2) == ["It holds."]
