"""Line drawings have the values of the artefacts; a worked example is what a reader would work out."""

import dataclasses

import numpy as np
import pytest
from truerank import report
from truerank.artefacts.files import read_table
from truerank.provenance import generator
from truerank.report.example import example_table
from truerank.report.line_drawings import SECTIONS, axes_of, line_drawing, rows_of, section
from truerank.report.theme import styles
from truerank.sampling.uniform import uniform

from tests.support import TOY_FIGURES, TOY_RANKS
from tests.unit.report.conftest import FIXTURE

CURVES = FIXTURE / "results" / "curves" / "toy" / "last_one"
DRAWING = {
    "name": "figure_1",
    "caption": "Fig. 1",
    "artefact": "mapping",
    "where": {"negatives": 5, "model": "item_cf"},
    "x": "f",
    "y": "sampled",
    "by": "mapping",
    "against": "exact",
    "x_label": "K",
    "y_label": "recall",
    "panels": {"All": {}, "Linear": {"mapping": "linear"}, "Nobody": {"model": "newest"}},
}


@pytest.fixture
def paper(config):
    return report.open_paper(FIXTURE / "results", FIXTURE / "published.yaml", config, {"commit": "abc"})


@pytest.fixture
def ours(paper):
    return dataclasses.replace(paper.ours[0], split="last_one")


def test_lines_are_the_artefact_in_the_order_of_x(ours):
    table = read_table(CURVES / "mapping.parquet")
    table = table[table["model"] == "item_cf"]
    rows = rows_of(DRAWING, ours, {})
    axes = axes_of(DRAWING, "All", rows, styles(rows["mapping"].unique()))
    lines = {line.get_label(): line.get_data() for line in axes.lines}
    assert set(lines) == {"exact", *table["mapping"]}
    for name, own in table.groupby("mapping"):
        own = own.sort_values("f", kind="stable")
        np.testing.assert_allclose(lines[name], [own["f"], own["sampled"]])
    truth = table.drop_duplicates("f").set_index("f")["exact"].sort_index()
    np.testing.assert_allclose(lines["exact"], [truth.index, truth])


def test_increments_are_the_shares_of_the_places_in_the_set(ours):
    where = {"negatives": 5, "mapping": "linear"}
    shares = DRAWING | {"where": where, "x": "k", "by": "model", "increments": True}
    del shares["against"]
    rows = rows_of(shares, ours, {})
    for line in axes_of(shares, "All", rows, styles(rows["model"].unique())).lines:
        np.testing.assert_array_equal(line.get_xdata(), range(1, 7))
        assert line.get_ydata().sum() == pytest.approx(1), "the set has no other place"
        recall = rows.loc[rows["model"] == line.get_label(), "sampled"]
        np.testing.assert_allclose(line.get_ydata().cumsum(), recall)


def test_panels_without_rows_are_left_out_and_a_drawing_without_any_says_so(ours):
    assert list(line_drawing(DRAWING, ours, None).files) == ["figure_1-1.svg", "figure_1-2.svg"]
    nobody = DRAWING | {"where": {"model": "newest"}, "panels": {"All": {}}}
    assert "Fig. 1: not run here." in line_drawing(nobody, ours, None).html
    assert "not run here" in line_drawing(DRAWING, dataclasses.replace(ours, split="none"), None).html


def test_a_section_may_be_of_the_worked_example(paper):
    paper.content["example"] = {"items": 1234, "metrics": {"ap": {"kind": "ap"}}, "ranks": {}}
    drawing = {"caption": "Fig. 1", "section": "metrics_by_rank", "example": ["ap@all"]}
    page = section(paper, paper.ours[0], drawing, None).html
    assert "among 1,234 candidates" in page
    assert "ap@all" in page
    assert "recall" not in page


@pytest.mark.slow
def test_every_section_that_a_paper_may_name_opens_on_the_fixture(paper):
    for name in SECTIONS:
        page = section(paper, paper.ours[0], {"caption": f"Fig. of {name}", "section": name}, None)
        assert f"Fig. of {name}" in page.html
        assert page.files or "Levels of relevance do not apply" in page.html, name
        of_two = section(paper, paper.ours[0], {"caption": f"Fig. of {name}", "section": name}, "toy")
        assert not set(page.files) & set(of_two.files), name  # each dataset has files of its own
        assert len(page.files) == len(of_two.files), name


def test_worked_example_of_krichene_and_rendle():
    """Table 1 exactly; means and spreads of Table 2 against draws."""
    metrics = {name: {"kind": name} for name in ("recall", "ap", "ndcg", "auc")}
    given = {"items": 10_000, "negatives": [99], "metrics": metrics, "cutoffs": [10, "all"], "ranks": TOY_RANKS}
    table = example_table(given)
    for row in table.itertuples():
        printed = TOY_FIGURES[row.model].get(f"{row.metric}@{row.k}", TOY_FIGURES[row.model].get(row.metric))
        assert row.k == "10" or printed is None or round(row.exact, 3) == printed
        if (row.metric, row.k) == ("ap", "all"):
            rank = np.array(TOY_RANKS[row.model])
            rng = generator(1, "example", row.model)
            sample = uniform(rank[None], np.full(5, 10_000), rng, negatives=99, replace=True, repeats=4000).rank[0]
            drawn = (1 / sample).mean(axis=1)
            assert row.expected == pytest.approx(drawn.mean(), abs=4 * row.sd / np.sqrt(4000))
            assert row.sd == pytest.approx(drawn.std(), rel=0.05)


def test_a_paper_may_have_a_worked_example(paper):
    paper.content["example"] = {
        "items": 10,
        "negatives": [3],
        "metrics": {"recall": {"kind": "recall"}},
        "cutoffs": [1],
        "ranks": {"A": [1, 4]},
    }
    (ours,) = paper.ours
    assert ours.figure("example", "exact", {"metric@k": "recall@1", "model": "A", "negatives": 3}) == 0.5
    expected = (1 + (6 / 9) ** 3) / 2  # the second item is first where none of the three before it is drawn
    assert ours.figure("example", "expected", {"metric@k": "recall@1"}) == pytest.approx(expected)
