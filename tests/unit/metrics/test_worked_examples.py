"""The worked examples of the sources: the page has every one, and the metrics give what was worked out by hand."""

import runpy

import pytest

from tests.support import ROOT

DOCS = ROOT / "docs"
MAKER = runpy.run_path(str(DOCS / "make_worked_examples.py"))
EXAMPLES = MAKER["examples"]()
SLIDES = [example for example in EXAMPLES if example.source == MAKER["SLIDES"]]


def test_values_are_those_worked_out_by_hand():
    for example in EXAMPLES:
        assert example.computed == pytest.approx(example.value, rel=1e-9), (example.title, example.name)


def test_printed_figures_are_the_values_rounded_or_a_note_says_why_not():
    for example in EXAMPLES:
        try:
            digits = len(example.printed.partition(".")[2])
            same = round(example.computed, digits) == float(example.printed)
        except (AttributeError, ValueError):
            continue  # nothing is printed, or words
        assert same != bool(example.note), (example.title, example.name)


def test_what_the_slides_work_out_is_there():
    """Counted on the slides: 11 figures of examples, three weights of RBP, three figures of Q5; and five questions."""
    assert sum(example.printed is not None for example in SLIDES) == 11 + 3 + 3
    for question, n in (("Q1", 4), ("Q2", 2), ("Q3", 1), ("Q4", 27), ("Q5", 3)):
        assert sum(example.title.startswith(question) for example in SLIDES) == n
    printed = {example.printed for example in EXAMPLES}
    assert printed >= {"8", "16.4356", "-0.0702", "-0.17576", "0.47", "0.7", "0.88", "0.8", "6.861", "7.141", "0.961"}
    assert printed >= {"0.9314", "10.0237", "10.7619", "0.15", "0.29", "0.35"}


def test_the_page_is_current():
    written = (DOCS / "worked-examples.md").read_text(encoding="utf-8")
    assert written == MAKER["page"](), "run: .venv/bin/python docs/make_worked_examples.py"
