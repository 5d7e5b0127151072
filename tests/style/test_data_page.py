"""The page of data says what the sources say, and the defaults know every source that needs no settings."""

import re
import runpy

from truerank.config.merging import read_defaults
from truerank.registry import DATASETS

from tests.support import ROOT

DATA = ROOT / "docs" / "data.md"


def test_the_page_is_current():
    written = DATA.read_text(encoding="utf-8")
    page = runpy.run_path(str(ROOT / "docs" / "make_data.py"), run_name="make_data")["page"]
    assert written == page(written), "run: .venv/bin/python docs/make_data.py"


def test_every_source_is_on_the_page():
    text = DATA.read_text(encoding="utf-8")
    for entry in DATASETS:
        assert re.search(rf"^###+ .*`?{re.escape(entry.name)}`?", text, re.MULTILINE), entry.name
        for setting in entry.settings:
            assert f"`{setting}" in text, f"{entry.name}: {setting}"


def test_every_public_source_has_a_name_in_the_defaults():
    named = {definition["source"] for definition in read_defaults()["datasets"].values()}
    assert named == {entry.name for entry in DATASETS if entry.facts.archives}
