"""Pages in a real browser: those of the test fixture, or those that ``--pages`` names."""

import copy
import glob
import shutil
from pathlib import Path

import pytest
from truerank.artefacts.files import read_json, read_table, write_json, write_table
from truerank.stages.render_notebook import render_notebook

from tests.hostile import HOSTILE, give_hostile_names
from tests.support import ROOT

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FIXTURE = ROOT / "tests" / "fixture"
RENDERED = ("toy", "index", "paper", "odd")
PROVENANCE = {"commit": "unknown", "versions": {}}


def pytest_generate_tests(metafunc):
    """Run every check on each page of ``--pages``, or on each that the fixture gives."""
    if "page_name" in metafunc.fixturenames:
        given = metafunc.config.getoption("--pages")
        paths = [str(Path(path).resolve()) for pattern in given for path in sorted(glob.glob(pattern))]
        if given and not paths:
            raise pytest.UsageError(f"no page matches {' '.join(given)}")
        metafunc.parametrize("page_name", paths or RENDERED, scope="session", ids=lambda name: Path(name).stem)


@pytest.fixture(scope="session")
def browser():
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"there is no browser: none of {', '.join(BROWSERS)} is on the path")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def odd_page(fixture_config, once):
    """The page of the odd study."""

    def render(folder):
        results, odd = odd_study(fixture_config, folder / "odd")
        given = {"results": str(results), "config": odd, "dataset": HOSTILE, "provenance": PROVENANCE}
        paths = folder / "odd.html", folder / "odd.ipynb", folder / "tables"
        render_notebook(ROOT / "notebooks" / "report.ipynb", given, f"{HOSTILE} · Truerank", *paths)

    return once("odd_page", render) / "odd.html"


def odd_study(config, folder):
    """Return a study with one model, one metric, no ratings, no sampling part, and names that try to be HTML."""
    results = Path(shutil.copytree(FIXTURE / "results", folder))
    odd = copy.deepcopy(config)
    give_hostile_names(results, odd)
    for path in [*results.rglob("test.parquet"), *results.glob("ranks/*/*/*.parquet")]:
        write_table(path, read_table(path).assign(rating=float("nan")))
    summary = results / "datasets" / HOSTILE / "summary.json"
    write_json(summary, read_json(summary) | {"implicit": True, "rating_histogram": {}, "source": HOSTILE})
    write_json(results / "verdict" / f"{HOSTILE}.json", {"metrics": None, "sampling": None})
    odd["select"] = {
        "datasets": [HOSTILE],
        "ranking": odd["select"]["ranking"] | {"models": [HOSTILE], "metrics": ["auc"]},
    }
    return results, odd


class Opened:
    """One page in the browser, and all that it complained of or asked for."""

    def __init__(self, browser, path, **context):
        self.context = browser.new_context(accept_downloads=True, **context)
        self.page = self.context.new_page()
        self.path, self.faults, self.requests = Path(path), [], []
        self.page.on("console", lambda message: self.faults.append(f"console {message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(self.path.as_uri())

    def save(self, button):
        """Press a button that saves a file; return its name and content."""
        with self.page.expect_download() as download:
            button.dispatch_event("click")
        return download.value.suggested_filename, Path(download.value.path()).read_bytes()


@pytest.fixture(scope="session")
def path(page_name, request):
    """A page that is rendered only if it is wanted."""
    if page_name not in RENDERED:
        return Path(page_name)
    if page_name == "odd":
        return request.getfixturevalue("odd_page")
    return request.getfixturevalue("rendered") / f"{page_name}.html"


@pytest.fixture
def open_page(browser, path):
    """Return a function that opens the page with the settings of a browser's context."""
    opened = []

    def open_one(**context):
        opened.append(Opened(browser, path, **context))
        return opened[-1]

    yield open_one
    for one in opened:
        one.context.close()
