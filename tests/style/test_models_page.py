"""The page of models says what the code says, and its figures come from a study's results."""

import re
import runpy

import pandas as pd
import pytest
from truerank.artefacts.files import write_table
from truerank.registry import MODELS

from tests.support import ROOT

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def maker():
    return runpy.run_path(str(DOCS / "make_models.py"))


@pytest.fixture(scope="module")
def text():
    return (DOCS / "models.md").read_text(encoding="utf-8")


def test_the_page_is_current(maker, text):
    assert text == maker["page"](), "run: .venv/bin/python docs/make_models.py"


def test_every_model_has_a_section_that_the_overview_leads_to(text):
    headings = re.findall(r"^### (\w+)$", text, re.MULTILINE)
    assert headings == MODELS.names
    assert re.findall(r"\(#(\w+)\)", text) == headings


def test_every_section_says_which_published_figures_are_reproduced(maker, text):
    for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        name, last = part.splitlines()[0], part.strip().splitlines()[-1]
        assert last == (" ".join(maker["reproduced"](name)) or "No published figure is compared with it.")
    assert "`kld` of the study `valcarce2018` reproduces 10 of 10 figures" in text
    rows = [("A", {"printed": [1, None], "known": {"x": "why"}, "tolerance": 0.0045}, {"digits": 3}, FIGURES)]
    of_paper = "study", "Nobody 2000", "a"
    assert maker["sentence"](*of_paper, rows).endswith("at least 1 of 2 figures of Nobody 2000, within 0.005.")
    assert "other data" in maker["sentence"](*of_paper, [("A", {}, {"digits": 3, "unlike": "why"}, FIGURES)])
    assert "A of Nobody 2000 is not reproduced" in maker["sentence"](*of_paper, [("A", {"tried": "all"}, {}, FIGURES)])


FIGURES = [{"model": "a", "printed": True, "apart": True}, {"model": "a", "printed": True, "apart": False}]


def test_no_mark_of_a_docstring_is_left(text):
    assert not re.search(r"\.\. math|:math:|``(?!`)(?<!```)", text)


def test_figures_are_those_of_the_study(maker, tmp_path):
    rows = [
        ("b", "recall", "10", 0.1),
        ("b", "ndcg", "10", 0.05),
        ("a", "recall", "10", 0.25),
        ("a", "ndcg", "10", 0.2),
    ]
    rows += [("a", "recall", "5", 0.9), ("a", "auc", "all", 0.9)]
    columns = dict(zip(("model", "metric", "k", "value"), zip(*rows, strict=True), strict=True))
    write_table(tmp_path / "metrics/toy/holdout/summary.parquet", columns)
    for number, path in enumerate(
        ("train_model/toy/holdout/a", "train_model/toy/holdout/b", "rank_items/toy/holdout/a")
    ):
        benchmark(tmp_path, path, number + 0.25, 100.6 + number)
    benchmark(tmp_path, "rank_items/toy/holdout/b", 0.5, "-")
    title, _, table = maker["measure"](tmp_path, "toy", "holdout").partition("\n\n")
    lines = table.splitlines()
    assert "`toy`, split `holdout`" in title
    assert lines[0] == "| model | recall@10 | ndcg@10 | training, s | training, MB | ranking, s | ranking, MB |"
    assert lines[2:] == [
        "| `a` | 0.2500 | 0.2000 | 0.2 | 101 | 2.2 | 103 |",
        "| `b` | 0.1000 | 0.0500 | 1.2 | 102 | 0.5 |  |",
    ]


def benchmark(results, job, seconds, memory):
    path = results / "benchmarks" / f"{job}.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame({"s": [seconds], "h:m:s": ["0:00:00"], "max_rss": [memory]}).to_csv(path, sep="\t", index=False)


def test_figures_stay_when_the_page_is_written_anew(maker, text):
    part = maker["measured_part"]()
    assert part in text
    assert "seen\n" in maker["page"]("seen\n")
    assert part not in maker["page"]("seen\n")
