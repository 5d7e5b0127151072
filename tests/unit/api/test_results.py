"""What the front door returns: frames that show, save and print themselves."""

import json
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from truerank.api.results import Result
from truerank.errors import UserError


@dataclass(frozen=True)
class Shown(Result):
    """Two <small> frames."""

    summary: pd.DataFrame
    pairs: pd.DataFrame
    told: str = ""

    @property
    def notes(self):
        return (self.told,) if self.told else ()


@pytest.fixture
def result():
    summary = pd.DataFrame({"model": ["a<b", "50%_x"], "k": ["10", "all"], "value": [0.25, np.nan], "users": [1000, 2]})
    return Shown(summary, pd.DataFrame({"p_value": [1e-5], "same": [True]}), "3 users & more")


def test_json_has_every_frame_and_no_nan(result, tmp_path):
    text = result.to_json(tmp_path / "new" / "out.json")
    assert json.loads(text) == json.loads((tmp_path / "new" / "out.json").read_text())
    assert json.loads(text)["summary"][1] == {"model": "50%_x", "k": "all", "value": None, "users": 2}
    assert json.loads(text)["pairs"] == [{"p_value": 1e-5, "same": True}]


def test_csv_and_latex_are_of_one_frame(result):
    assert result.to_csv().splitlines()[1] == "a<b,10,0.25,1000"
    assert result.to_csv(frame="pairs").splitlines() == ["p_value,same", "1e-05,True"]
    lines = result.to_latex().splitlines()
    assert lines[0] == r"\begin{tabular}{llrr}"
    assert r"50\%\_x & all & -- & 2 \\" in lines
    assert "a<b & 10 & 0.2500 & 1000 \\\\" in lines


def test_a_page_is_whole_and_escapes_names(result, tmp_path):
    page = result.to_html(tmp_path / "out.html")
    assert page == (tmp_path / "out.html").read_text()
    assert "a&lt;b" in page
    assert "a<b" not in page
    assert "3 users &amp; more" in page
    assert "<h1>Two &lt;small&gt; frames</h1>" in page
    assert "src=" not in page.replace("-src", "")
    assert "<td" in result._repr_html_()
    assert "1.00e-05" in result._repr_html_()


def test_mistakes_are_sentences(result, tmp_path):
    with pytest.raises(UserError, match="expected one of: summary, pairs"):
        result.to_csv(frame="nothing")
    with pytest.raises(UserError, match="cannot be written"):
        result.to_json(tmp_path)
