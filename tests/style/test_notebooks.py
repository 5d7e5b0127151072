"""Notebooks hold prose and calls: no logic, no outputs, parameters that open the fixture."""

import ast
import runpy
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
READING = "> How to read it: "


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    content = nbformat.read(request.param, as_version=4)
    nbformat.validate(content)
    return content


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def sections(notebook):
    """The markdown cells, cut before every heading of the second level."""
    cut = [[]]
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.source.startswith("## "):
            cut.append([])
        cut[-1].append(cell)
    return cut


def test_there_are_notebooks():
    assert {path.stem for path in NOTEBOOKS} >= {"report", "index"}


def test_no_outputs(notebook):
    assert not [cell for cell in code_cells(notebook) if cell.outputs or cell.execution_count]


def test_parameters_first_then_the_imports(notebook):
    parameters, imports, *others = code_cells(notebook)
    assert parameters.metadata.tags == ["parameters"]
    assert not [cell for cell in others if cell.metadata.get("tags")]
    assert all(isinstance(node, ast.ImportFrom | ast.Import) for node in ast.parse(imports.source).body)


def test_parameters_are_literals_that_open_the_fixture(notebook):
    body = ast.parse(code_cells(notebook)[0].source).body
    values = {node.targets[0].id: ast.literal_eval(node.value) for node in body}
    assert (ROOT / "notebooks" / values["results"]).is_dir()
    assert values["config"] == runpy.run_path(str(ROOT / "tests/fixture/make_fixture.py"))["CONFIG"]


def test_every_other_cell_is_one_plain_call(notebook):
    for cell in code_cells(notebook)[2:]:
        (statement,) = ast.parse(cell.source).body
        assert isinstance(statement, ast.Expr | ast.Assign), cell.source
        assert isinstance(statement.value, ast.Call), cell.source
        arguments = [*statement.value.args, *(keyword.value for keyword in statement.value.keywords)]
        assert all(isinstance(argument, ast.Name | ast.Constant) for argument in arguments), cell.source


def test_the_report_says_what_sampling_takes_for_granted():
    report = nbformat.read(ROOT / "notebooks" / "report.ipynb", as_version=4)
    (sampled,) = [section for section in sections(report) if section[0].source.startswith("## Sampled metrics")]
    assert "separate instance; several instances of one user are treated as independent" in sampled[-1].source


def test_every_section_opens_with_its_question_and_ends_with_how_to_read_it(notebook):
    first, *others = sections(notebook)
    assert first[0].source.startswith("# ")
    assert first[0].source.endswith("?")
    for section in others:
        assert section[0].source.endswith("?")
        assert section[-1].source.startswith(READING)
