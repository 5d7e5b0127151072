"""Tables as LaTeX are what pandas makes of them."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from truerank.report.latex import latex_table

TEXT = st.text("ab \\~^&%$#_{}é–", max_size=8)
NUMBERS = st.floats(-1e6, 1e6) | st.just(np.nan)


def by_pandas(frame, formats):
    return frame.to_latex(index=False, escape=True, na_rep="–", formatters=dict(formats))


@given(st.lists(st.tuples(TEXT, NUMBERS, NUMBERS, st.integers(0, 9), st.none() | TEXT), max_size=4), TEXT)
def test_it_is_what_pandas_writes(rows, heading):
    frame = pd.DataFrame(rows, columns=["text", "float", f"other {heading}", "count", "mixed"])
    formats = {"float": lambda value: f"{value:.2f}"}
    assert latex_table(frame, formats, "–") == by_pandas(frame, formats)


def test_special_letters_are_shown_as_they_are():
    text = latex_table(pd.DataFrame({"a_b": ["50 % & more", "x\\y"]}), {}, "")
    assert "a\\_b \\\\" in text
    assert "50 \\% \\& more" in text
    assert "x\\textbackslash y" in text
