"""What all tests share. Helpers are in ``support.py`` beside this file, which pytest puts on the import path."""

import fcntl
import os
import runpy
import shutil
import signal

import pytest
from hypothesis import settings
from truerank.blas import single_threaded_blas

from tests import support

FIXTURE = support.ROOT / "tests" / "fixture"

# How long an example takes depends on the machine, and the first one may compile a kernel.
settings.register_profile("truerank", deadline=None, max_examples=50)
settings.register_profile("quick", deadline=None, max_examples=20)
settings.register_profile("fuzz", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile("truerank")


def pytest_configure(config):
    """Let programs that tests start hear Ctrl-C, though these tests may run in the background, where it is ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption("--pages", nargs="+", default=[], help="pages for tests/browser, instead of the fixture's")


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """Return a function that makes a folder of a name once for all workers, by ``make(folder)``; they only read it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def folder_of(name, make):
        folder, whole = shared / name, shared / f"{name}.whole"
        with open(shared / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not whole.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                make(folder)
                whole.touch()
        return folder

    return folder_of


@pytest.fixture(scope="session")
def fixture_config():
    """The config of the results in ``tests/fixture``."""
    return runpy.run_path(str(FIXTURE / "make_fixture.py"))["CONFIG"]


@pytest.fixture(scope="session")
def rendered(fixture_config, once):
    """A folder with the report, the index and the paper of the fixture, as the workflow renders them."""
    from truerank.stages.render_notebook import render_notebook

    results, notebooks = FIXTURE / "results", support.ROOT / "notebooks"
    given = {"results": str(results), "config": fixture_config, "provenance": {"commit": "unknown", "versions": {}}}

    def render_all(out):
        def render(notebook, name, title, *folders, **parameters):
            paths = out / f"{name}.html", out / "log" / f"{name}.ipynb"
            render_notebook(notebooks / notebook, given | parameters, f"{title}Truerank", *paths, *folders)

        render("report.ipynb", "toy", "toy · ", out / "tables" / "toy", out / "figures" / "toy", dataset="toy")
        render("index.ipynb", "index", "")
        published = str(FIXTURE / "published.yaml")
        render("paper.ipynb", "paper", "paper · ", out / "tables" / "paper", published=published)

    return once("rendered", render_all)


@pytest.fixture
def study():
    """The default study, as Snakemake merges it, to be changed at will."""
    return support.default_study()


@pytest.fixture(autouse=True, scope="session")
def one_thread_per_product():
    """Multiply matrices as jobs do."""
    with single_threaded_blas():
        yield
