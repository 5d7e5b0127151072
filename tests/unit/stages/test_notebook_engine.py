"""Cells run as in a kernel: names are kept, the last value is shown, the first failure ends the run."""

import sys

import papermill
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from truerank.stages.notebook_engine import IN_PROCESS, Cells, bundle


def executed(tmp_path, *sources):
    cells = [new_markdown_cell("# Title"), *map(new_code_cell, sources)]
    options = {"engine_name": IN_PROCESS, "kernel_name": "python3", "language": "python", "progress_bar": False}
    return papermill.execute_notebook(new_notebook(cells=cells), tmp_path / "out.ipynb", **options).cells[1:]


def test_names_are_kept_and_the_last_value_is_shown(tmp_path):
    first, second, third = executed(tmp_path, "x = 2\ny = 3", "x + 1\nx * y", "x * y\nz = 1")
    assert [cell.execution_count for cell in (first, second, third)] == [1, 2, 3]
    assert first.outputs == []
    assert [output.data for output in second.outputs] == [{"text/plain": "6"}]
    assert third.outputs == [], "an assignment shows nothing"


def test_the_first_failure_ends_the_run_and_is_kept(tmp_path):
    with pytest.raises(papermill.PapermillExecutionError, match="ZeroDivisionError"):
        executed(tmp_path, "1 / 0", "open('never', 'w')")
    assert "ZeroDivisionError" in (tmp_path / "out.ipynb").read_text()


def test_statements_of_several_lines_run_and_the_prompt_is_left_as_it_was():
    before = sys.displayhook
    assert Cells().value_of("from math import floor\n\nvalue = {\n  'a': 1,\n}\nfloor(1.5) + value['a']") == 2
    with pytest.raises(SyntaxError):
        Cells().value_of("x = (")
    assert sys.displayhook is before


def test_a_value_is_shown_as_it_wishes():
    class Rich:
        def _repr_html_(self):
            return "<b>"

    assert bundle(Rich())["text/html"] == "<b>"
    assert bundle(1) == {"text/plain": "1"}
