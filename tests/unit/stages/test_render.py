"""Pages are whole or absent, self-contained, and the same bytes for the same artefacts."""

import base64
import gzip
import itertools
import re
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from truerank.errors import UserError
from truerank.stages.render_notebook import render_notebook

from tests.support import ROOT

NOTEBOOKS = ROOT / "notebooks"
pytestmark = pytest.mark.slow  # the pages are rendered first


@pytest.fixture(scope="module", params=["toy", "index", "paper"])
def page(rendered, request):
    return BeautifulSoup((rendered / f"{request.param}.html").read_text(encoding="utf-8"), "html.parser")


def test_nothing_is_loaded_from_elsewhere(page):
    loading = page.select("[src], link, iframe, object, embed, img, use[href^=http], style")
    assert [tag.name for tag in loading] == ["style"]
    assert "url(http" not in page.style.text
    assert "@import" not in page.style.text
    assert not [a["href"] for a in page.select("a[href]") if re.match("(https?:)?//", a["href"])]
    assert len(page.select("script")) == 1


def test_structure_serves_readers_who_cannot_see_it(page):
    levels = [int(heading.name[1]) for heading in page.select("h1, h2, h3")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert all(svg.title.text for svg in page.select("svg"))
    identifiers = [tag["id"] for tag in page.select("[id]")]
    assert len(identifiers) == len(set(identifiers))
    for link in page.select("a[href^='#']"):
        assert link["href"][1:] in identifiers
    assert page.html["lang"] == "en"


def test_code_is_hidden_and_every_section_shows_something(rendered):
    page = BeautifulSoup((rendered / "toy.html").read_text(encoding="utf-8"), "html.parser")
    assert "report.leaderboard(" not in page.text
    for heading in page.select("h2[id]"):
        shown = []
        for sibling in heading.find_next_siblings():
            if sibling.name == "h2":
                break
            shown.append(sibling)
        drawn = any(tag.name == "figure" or tag.find("figure") for tag in shown)
        assert drawn or any(tag.name == "p" for tag in shown[1:-1]), heading.text
        assert "?" in shown[0].text
        assert shown[-1].text.strip().startswith("How to read it")


@pytest.mark.parametrize("name", ["toy", "paper"])
def test_every_table_is_a_csv_and_a_latex_file(rendered, name):
    page = BeautifulSoup((rendered / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
    folder, buttons = rendered / "tables" / name, page.select("button[data-file]")
    assert {button["data-file"] for button in buttons} == {path.name for path in folder.iterdir()}
    assert {Path(button["data-file"]).suffix for button in buttons} == {".csv", ".tex"}
    for button in buttons:
        content = gzip.decompress(base64.b64decode(button["data-content"]))
        assert content == (folder / button["data-file"]).read_bytes()


def test_every_figure_is_a_file_with_its_legend(rendered):
    page = BeautifulSoup((rendered / "toy.html").read_text(encoding="utf-8"), "html.parser")
    folder = rendered / "figures" / "toy"
    assert {panel["data-name"] for panel in page.select(".panel")} == {path.stem for path in folder.iterdir()}
    for path in folder.iterdir():
        root = ElementTree.parse(path).getroot()
        assert root.get("viewBox").startswith("0 0 ")
        panel = page.select_one(f".panel[data-name={path.stem}]")
        names = {entry.text.split(None, 1)[1].strip() for entry in panel.find_parent("figure").select(".legend li")}
        assert names <= {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}


PAGES = {"report": "toy · Truerank", "index": "Truerank", "paper": "paper · Truerank"}


@pytest.mark.parametrize(
    ("notebook", "html"), [("report", "toy.html"), ("index", "index.html"), ("paper", "paper.html")]
)
def test_opened_by_hand_it_is_the_same_page(rendered, notebook, html, tmp_path, monkeypatch):
    """The defaults of the parameters open the fixture; neither run nor path of the results changes a byte."""
    monkeypatch.chdir(NOTEBOOKS)
    render_notebook(f"{notebook}.ipynb", {}, PAGES[notebook], tmp_path / html, tmp_path / "executed.ipynb")
    assert (tmp_path / html).read_bytes() == (rendered / html).read_bytes()


@pytest.fixture
def notebook(tmp_path):
    """Write a notebook of one parameter and one cell of code."""

    def write(code, tags=("parameters",)):
        cells = [
            new_markdown_cell("# Title"),
            new_code_cell("number = 1", metadata={"tags": list(tags)}),
            new_code_cell(code),
        ]
        path = tmp_path / "small.ipynb"
        nbformat.write(new_notebook(cells=cells), path)
        return path

    return write


def test_a_crash_leaves_no_page_or_the_earlier_one(notebook, tmp_path):
    html, executed, tables = tmp_path / "page.html", tmp_path / "log" / "small.ipynb", tmp_path / "tables"
    path = notebook("1 / 0")
    with pytest.raises(Exception, match="ZeroDivisionError"):
        render_notebook(path, {}, "title", html, executed, tables)
    assert not html.exists()
    assert not tables.exists()
    assert "ZeroDivisionError" in executed.read_text()
    html.write_text("earlier")
    with pytest.raises(Exception, match="ZeroDivisionError"):
        render_notebook(path, {}, "title", html, executed)
    assert html.read_text() == "earlier"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "page.html", "small.ipynb"]


def test_a_users_mistake_stays_one_sentence(notebook, tmp_path):
    path = notebook("from truerank.errors import UserError\nraise UserError('ranks.parquet is damaged')")
    with pytest.raises(UserError, match=r"^ranks.parquet is damaged$"):
        render_notebook(path, {}, "title", tmp_path / "page.html", tmp_path / "executed.ipynb")


def test_unknown_parameter_is_an_error(notebook, tmp_path):
    with pytest.raises(UserError, match=r"unknown parameter 'numbr', did you mean 'number'\?"):
        render_notebook(notebook("number"), {"numbr": 2}, "t", tmp_path / "page.html", tmp_path / "executed.ipynb")
    assert not (tmp_path / "executed.ipynb").exists()


def test_no_parameters_cell_is_an_error(notebook, tmp_path):
    with pytest.raises(UserError, match="no cell tagged 'parameters'"):
        render_notebook(notebook("number", tags=()), {"number": 2}, "t", tmp_path / "page.html", tmp_path / "e.ipynb")


def test_parameters_keep_their_type_and_the_title_is_text(notebook, tmp_path):
    path = notebook("from truerank.report.block import Prose\nProse(repr(number))")
    number = {"text": 'it\'s "quoted" \\n <b>', "none": None, "list": [1, 2.5, True]}
    html = tmp_path / "page.html"
    render_notebook(path, {"number": number}, "<script>", html, tmp_path / "executed.ipynb")
    page = BeautifulSoup(html.read_text(encoding="utf-8"), "html.parser")
    assert page.main.p.text == repr(number)
    assert page.title.text == "<script>"
