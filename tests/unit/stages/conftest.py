"""The pages of the fixture, rendered once for all tests of them."""

import runpy

import pytest
from truerank.stages.render_notebook import render_notebook

from tests.support import ROOT

RESULTS = ROOT / "tests" / "fixture" / "results"


@pytest.fixture(scope="session")
def fixture_config():
    return runpy.run_path(str(ROOT / "tests" / "fixture" / "make_fixture.py"))["CONFIG"]


@pytest.fixture(scope="session")
def rendered(fixture_config, tmp_path_factory):
    """The report, the index and the paper of the fixture, as the workflow renders them."""
    out = tmp_path_factory.mktemp("report")
    given = {"results": str(RESULTS), "config": fixture_config, "provenance": {"commit": "unknown", "versions": {}}}

    def render(notebook, name, title, *folders, **parameters):
        paths = out / f"{name}.html", out / "log" / f"{name}.ipynb"
        render_notebook(ROOT / "notebooks" / notebook, given | parameters, f"{title}Truerank", *paths, *folders)

    render("report.ipynb", "toy", "toy · ", out / "tables" / "toy", out / "figures" / "toy", dataset="toy")
    render("index.ipynb", "index", "")
    published = str(RESULTS.with_name("published.yaml"))
    render("paper.ipynb", "paper", "paper · ", out / "tables" / "paper", published=published)
    return out
