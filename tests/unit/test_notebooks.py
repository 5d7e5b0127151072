"""The notebooks of a study's pages, to be opened on its results."""

import ast
import shutil
import subprocess
import sys

import nbformat
import papermill
import pytest
from truerank.errors import UserError
from truerank.notebooks import write_notebooks
from truerank.workflow_files import NOTEBOOKS


@pytest.fixture
def results(tmp_path):
    """What a study leaves of its pages: notebooks that papermill gave parameters, here without running them."""
    logs = tmp_path / "results" / "logs"
    (logs / "render_report").mkdir(parents=True)
    for name, place in (("report", "render_report/toy.ipynb"), ("index", "render_index.ipynb")):
        given = {"results": "results", "config": {"seed": 7}} | ({"dataset": "toy"} if name == "report" else {})
        papermill.execute_notebook(NOTEBOOKS / f"{name}.ipynb", logs / place, given, prepare_only=True)
    return tmp_path / "results"


def parameters(path):
    (cell,) = (c for c in nbformat.read(path, as_version=4).cells if c.metadata.get("tags") == ["parameters"])
    return {node.targets[0].id: ast.literal_eval(node.value) for node in ast.parse(cell.source).body}


def test_every_page_has_its_notebook_with_the_study_s_parameters(results):
    folder = write_notebooks(results)
    assert sorted(path.name for path in folder.iterdir()) == ["index.ipynb", "report-toy.ipynb"]
    found = parameters(folder / "report-toy.ipynb")
    assert found == {"results": str(results), "dataset": "toy", "config": {"seed": 7}}
    source = nbformat.read(NOTEBOOKS / "report.ipynb", as_version=4)
    written = nbformat.read(folder / "report-toy.ipynb", as_version=4)
    assert [c.source for c in source.cells[2:]] == [c.source for c in written.cells[2:]]


def test_what_somebody_changed_stays_and_parameters_are_new(results):
    path = write_notebooks(results) / "report-toy.ipynb"
    mine = nbformat.read(path, as_version=4)
    mine.cells.append(nbformat.v4.new_code_cell("mine"))
    mine.cells[1].source = "results = 'old'"
    nbformat.write(mine, path)
    write_notebooks(results)
    assert nbformat.read(path, as_version=4).cells[-1].source == "mine"
    assert parameters(path)["results"] == str(results)


def test_results_without_pages_are_told(results):
    shutil.rmtree(results / "logs")
    with pytest.raises(UserError, match="has no page of a study; run one first: truerank run, or make report"):
        write_notebooks(results)


@pytest.mark.slow
def test_the_command_tells_it_in_a_line(tmp_path):
    done = subprocess.run([sys.executable, "-m", "truerank.notebooks", tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("truerank: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_jupyter_is_there():
    done = subprocess.run([sys.executable, "-m", "jupyterlab", "--version"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
