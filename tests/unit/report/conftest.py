"""Studies over the committed fixture, as it is or altered in one respect."""

import copy
import runpy
import shutil
from pathlib import Path

import pytest
from truerank.report import open_study

FIXTURE = Path(__file__).parents[2] / "fixture"


@pytest.fixture(scope="session")
def maker():
    """The names that the script which makes the fixture defines."""
    return runpy.run_path(str(FIXTURE / "make_fixture.py"))


@pytest.fixture
def config(maker):
    return copy.deepcopy(maker["CONFIG"])


@pytest.fixture
def study(config):
    return open_study(FIXTURE / "results", "toy", config, {"commit": "abc", "versions": {"numpy": "2"}})


@pytest.fixture
def ranking(study):
    return study.parts[0]


@pytest.fixture
def results(tmp_path):
    """A copy of the fixture that a test may change."""
    return shutil.copytree(FIXTURE / "results", tmp_path / "results")
