"""The picture of a paper's first screen: a square per figure, a line per finding, nothing on anything else."""

from collections import Counter

import pytest
from truerank import report
from truerank.report.canvas import to_svg
from truerank.report.compared import ABSENT, AGREES, DIFFERS, NOT_REPRODUCED, UNPRINTED, all_cells
from truerank.report.findings import CANNOT, NOT_AT_ALL, REPRODUCED
from truerank.report.paper_picture import (
    MOST,
    NAME,
    SIDES,
    TITLE,
    Block,
    agreement_figure,
    blocks_of,
    listed,
    mosaic,
    placed,
)
from truerank.report.text_width import text_width

from tests.unit.report.conftest import FIXTURE


@pytest.fixture
def paper(config):
    return report.open_paper(FIXTURE / "results", FIXTURE / "published.yaml", config, {"commit": "abc"})


def squares(axes):
    return Counter({drawn.get_label(): len(drawn.get_paths()) for drawn in axes.collections})


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_squares_are_the_outcomes_of_all_figures(paper):
    outcomes = Counter(all_cells(paper)["outcome"])
    found = Counter()
    for axes in [mosaic([block]) for block in blocks_of(paper)]:
        found += squares(axes)
    assert found == Counter({key: n for key, n in outcomes.items() if key not in (ABSENT, UNPRINTED)})
    assert sum(found.values()) > 3


def test_rows_that_differ_are_named_and_others_are_not(paper):
    block = Block("Table 1", {"good": [AGREES] * 3, "bad": [AGREES, DIFFERS, AGREES], "worse": [NOT_REPRODUCED] * 3})
    assert block.apart == ["bad", "worse"]
    axes = mosaic([block])
    assert {"Table 1", "bad", "worse"} <= set(texts(axes))
    assert "good" not in texts(axes)


def test_a_table_is_as_wide_as_what_is_drawn():
    """Its squares and the name beside them, or its own name."""
    rows = {"W" * 20: [DIFFERS] * 2, "i" * 30: [AGREES] * 2}
    assert Block("T", rows).size(9)[0] == 18 + 3 + text_width("W" * 20, NAME)
    assert Block("Table 10", {"row": [AGREES]}).size(9)[0] == text_width("Table 10", TITLE)


def test_coordinates_are_points_where_a_name_reaches_the_edge():
    axes = mosaic([Block(f"Table {n}, {'name ' * 4}", {"row": [AGREES]}) for n in range(3)])
    to_svg(axes.figure)
    left, right = axes.transData.transform([(0, 0), (100, 0)])[:, 0]
    assert right - left == pytest.approx(100)


@pytest.mark.parametrize("n_tables", [1, 3, 9])
@pytest.mark.parametrize("side", [SIDES[0], SIDES[-1]])
def test_tables_stand_apart_and_inside(n_tables, side):
    rows = {f"row {n}": [AGREES] * 4 + [DIFFERS] for n in range(5)}
    blocks = [Block(f"Table {n}", rows) for n in range(n_tables)]
    places, height = placed(blocks, side, 300)
    boxes = [(x, y, *block.size(side)) for block, (x, y) in zip(blocks, places, strict=True)]
    for place, (x, y, wide, high) in enumerate(boxes):
        assert x + wide <= 300
        assert y + high <= height
        for other_x, other_y, other_wide, other_high in boxes[:place]:
            beside = x >= other_x + other_wide or other_x >= x + wide
            assert beside or y >= other_y + other_high or other_y >= y + high


def test_findings_have_their_sign_and_long_lists_name_those_that_fail():
    axes = listed([("It holds.", {"toy": REPRODUCED}), ("It " + "really " * 40 + "fails.", {"toy": NOT_AT_ALL})])
    assert texts(axes)[:2] == ["✓", "It holds."]
    assert texts(axes)[2] == "✗"
    assert len(texts(axes)) == 5, "two lines"
    assert texts(axes)[4].endswith("…")
    axes = listed([("yes", {"toy": REPRODUCED})] * MOST + [("unknown", {"toy": CANNOT})])
    assert texts(axes) == ["–", "unknown", f"and {MOST} more, below"]


def test_findings_of_several_datasets_are_lines_with_a_sign_below_each_dataset():
    axes = listed([("Both.", {"one": REPRODUCED, "two": NOT_AT_ALL}), ("The second.", {"two": CANNOT})])
    assert texts(axes) == ["one", "two", "✓", "✗", "Both.", "–", "The second."]
    left = {text.get_text(): text.get_position()[0] for text in axes.texts}
    assert left["one"] == left["✓"] < left["two"] == left["✗"] == left["–"] < left["Both."] == left["The second."]
    assert min(text.get_position()[1] for text in axes.texts[2:]) > axes.texts[0].get_position()[1], "names are on top"


def test_a_paper_without_figures_and_findings_has_no_picture(paper):
    paper.content.pop("tables")
    (text,) = agreement_figure(paper).panels
    assert text.startswith("Lines, one per finding, one sign per dataset: 1 reproduced, 1 partly")
    paper.content.pop("findings")
    assert agreement_figure(paper) is None


def test_tables_of_one_number_have_names_of_their_own(paper):
    first, second = paper.content["tables"]
    paper.content["tables"] = [first, second | {"caption": "Table 1, standard deviations of all of its figures"}]
    assert [block.name for block in blocks_of(paper)] == ["Table 1, precision in p…", "Table 1, standard devia…"]
