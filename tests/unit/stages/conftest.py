"""The pages of the fixture, rendered once for all tests of them."""

import runpy

import pytest
from truerank.stages.render_index import render_index
from truerank.stages.render_paper import render_paper
from truerank.stages.render_report import render_report

from tests.support import ROOT

RESULTS = ROOT / "tests" / "fixture" / "results"


@pytest.fixture(scope="session")
def fixture_config():
    return runpy.run_path(str(ROOT / "tests" / "fixture" / "make_fixture.py"))["CONFIG"]


@pytest.fixture(scope="session")
def rendered(fixture_config, tmp_path_factory):
    """The report, the index and the paper of the fixture, as the workflow renders them."""
    out = tmp_path_factory.mktemp("report")
    given = {"config": fixture_config, "provenance": {"commit": "unknown", "versions": {}}}
    paths = {
        "html": out / "toy.html",
        "tables": out / "tables" / "toy",
        "figures": out / "figures" / "toy",
        "executed": out / "log" / "toy.ipynb",
    }
    render_report(ROOT / "notebooks" / "report.ipynb", RESULTS, "toy", **given, **paths)
    paths = {"html": out / "index.html", "executed": out / "log" / "index.ipynb"}
    render_index(ROOT / "notebooks" / "index.ipynb", RESULTS, **given, **paths)
    paths = {"html": out / "paper.html", "tables": out / "tables" / "paper", "executed": out / "log" / "paper.ipynb"}
    render_paper(ROOT / "notebooks" / "paper.ipynb", RESULTS, RESULTS.with_name("published.yaml"), **given, **paths)
    return out
