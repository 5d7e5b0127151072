"""The drawings of a paper are made of the artefacts, with the metrics, cut-offs and labels that its file lists."""

import numpy as np
import pytest
from bs4 import BeautifulSoup
from truerank import report
from truerank.artefacts.files import read_table
from truerank.report.drawings import axes_of, drawn
from truerank.report.power import looks_of
from truerank.report.theme import REST, ordered_styles

from tests.unit.report.conftest import FIXTURE

META = FIXTURE / "results" / "meta" / "toy" / "holdout"


@pytest.fixture
def paper(config):
    return report.open_paper(FIXTURE / "results", FIXTURE / "published.yaml", config, {"commit": "abc"})


def axes_by_name(paper):
    found = {}
    for drawing in paper.content["drawings"][:3]:
        lines = [(label, *column.split("@")) for label, column in drawing["curves"].items()]
        found[drawing["name"]] = axes_of(drawing, paper.ours[0], lines, looks_of(lines))
    return found


def test_curves_are_the_artefacts(paper):
    axes = axes_by_name(paper)
    swept = read_table(META / "robustness.parquet")
    for name, bias, lines in (
        ("figure_2", "sparsity", {"at 1": ("recall", "1"), "at 5": ("recall", "5")}),
        ("figure_3", "popularity", {"P": ("precision", "5"), "nDCG": ("ndcg", "5")}),
    ):
        drawn_lines = {line.get_label(): line for line in axes[name].lines}
        assert set(drawn_lines) == set(lines)
        for label, (metric, k) in lines.items():
            rows = swept[(swept["bias"] == bias) & (swept["metric"] == metric) & (swept["k"] == k)]
            expected = rows.groupby("fraction")["tau"].mean()
            x, y = drawn_lines[label].get_data()
            np.testing.assert_allclose(x, 100 * expected.index)
            np.testing.assert_allclose(y, expected)


def test_heat_map_has_the_labels_and_values_of_the_paper(paper):
    axes = axes_by_name(paper)["figure_1"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["at 1", "at 5"]
    table = read_table(META / "correlation.parquet").set_index(["metric_a", "k_a", "metric_b", "k_b"])["tau"]
    expected = table[("recall", "1", "recall", "5")]
    assert [text.get_text() for text in axes.texts][1] == f"{expected:.2f}"


def test_what_the_study_lacks_is_named_and_the_rest_is_drawn(paper):
    partly, not_at_all = (drawn(paper.content["drawings"][place], paper.ours[0], None) for place in (3, 4))
    assert list(partly.files) == ["figure_4-1.svg"]
    assert "Fig. 4, p-values: not run here, because the study has no newest." in partly.html
    assert not_at_all.files == {}
    assert "Fig. 5, p-values: not run here" in not_at_all.html


@pytest.mark.slow
def test_the_page_has_every_drawing_once_per_dataset(paper, config):
    page = BeautifulSoup(report.paper_drawings(paper).html, "html.parser")
    assert len(page.select("svg")) == 4
    config["select"]["datasets"] = ["toy", "toy"]
    assert "figure_1_toy-1.svg" in report.paper_drawings(paper).files
    paper.content.pop("drawings")
    assert "No drawing of this paper is listed" in report.paper_drawings(paper).html


def test_a_drawing_that_names_datasets_is_of_these_alone(paper, config):
    config["select"]["datasets"] = ["toy", "tiny"]
    paper.content["drawings"] = [paper.content["drawings"][0] | {"datasets": ["toy"]}]
    page = report.paper_drawings(paper)
    assert [block.blocks[0].text for block in page.blocks] == ["toy"]
    assert list(page.files) == ["figure_1_toy-1.svg"]


@pytest.mark.parametrize("datasets", [["toy"], ["toy", "tiny"]])
def test_drawings_and_findings_of_other_datasets_alone_are_a_sentence(paper, config, datasets):
    config["select"]["datasets"] = datasets
    for kind, section in (("drawing", report.paper_drawings), ("finding", report.paper_findings)):
        paper.content[f"{kind}s"] = [paper.content[f"{kind}s"][0] | {"datasets": ["other"]}]
        assert section(paper).html == f"<p>Every {kind} of this paper is about other datasets.</p>"


def test_findings_are_shown_only_for_datasets_that_have_some(paper, config):
    config["select"]["datasets"] = ["toy", "tiny"]
    paper.content["findings"] = [paper.content["findings"][0] | {"datasets": ["toy"]}]
    assert list(report.paper_findings(paper).files) == ["findings_toy.csv", "findings_toy.tex"]


def test_cut_offs_are_told_apart_by_shade_however_many():
    looks = ordered_styles(map(str, range(11)))
    assert len({look.colour for look in looks.values()}) == 11
    assert REST not in looks.values()
    assert looks_of([(str(k), "ndcg", str(k)) for k in range(11)]) == looks
    metrics = looks_of([("P", "precision", "5"), ("R", "recall", "5")])
    assert metrics["P"] != metrics["R"]
