"""The page of metrics says what the code says."""

import re
import runpy

from tests.support import ROOT

DOCS = ROOT / "docs"


def test_the_page_is_current():
    page = runpy.run_path(str(DOCS / "make_metrics.py"))["page"]()
    written = (DOCS / "metrics.md").read_text(encoding="utf-8")
    assert written == page, "run: .venv/bin/python docs/make_metrics.py"


def test_links_on_the_page_lead_somewhere():
    text = (DOCS / "metrics.md").read_text(encoding="utf-8")
    targets, headings = set(re.findall(r"\(#(\w+)\)", text)), set(re.findall(r"^### (\w+)$", text, re.MULTILINE))
    assert targets == headings
    assert len(headings) > 30
