"""Paper against ours: every figure is the artefact's, every outcome follows from the figures."""

import dataclasses
import math
from collections import Counter

import numpy as np
import pytest
from bs4 import BeautifulSoup
from truerank import report
from truerank.artefacts.files import read_json, read_table
from truerank.report.compared import (
    ABSENT,
    AGREES,
    DIFFERS,
    KNOWN,
    NOT_AT_HAND,
    NOT_REPRODUCED,
    UNLIKE,
    UNPRINTED,
    all_cells,
    cells,
    outcome_of,
    spread_of_difference,
)
from truerank.report.findings import (
    CANNOT,
    NOT_AT_ALL,
    PARTLY,
    REPRODUCED,
    SO_FAR,
    check,
    checked_findings,
    findings_table,
    holds,
)
from truerank.report.paper import on_figures, on_findings
from truerank.report.paper_tables import Comparison, shown
from truerank.report.published import merged

from tests.unit.report.conftest import FIXTURE


@pytest.fixture
def paper(config):
    return report.open_paper(FIXTURE / "results", FIXTURE / "published.yaml", config, {"commit": "abc"})


@pytest.fixture
def ours(paper):
    return paper.ours[0]


def text_of(block):
    return BeautifulSoup(block.html, "html.parser").get_text()


def test_figures_are_the_artefacts(paper, ours):
    summary = read_table(FIXTURE / "results/metrics/toy/holdout/summary.parquet").set_index(["model", "metric", "k"])
    frame = cells(paper.content["tables"][0], ours).set_index(["row", "column"])
    for row, model in (("Random", "random"), ("Popular", "popularity")):
        for column, k in (("at 1", "1"), ("at 5", "5")):
            value = 100 * summary.at[(model, "precision", k), "value"]
            found = frame.loc[(row, column)]
            assert found["ours"] == pytest.approx(value)
            assert found["difference"] == pytest.approx(value - found["theirs"])
            near = abs(value - found["theirs"]) <= found["tolerance"]
            assert found["outcome"] == (AGREES if near else KNOWN if found["note"] == "a slip of the pen" else DIFFERS)
    assert frame["tolerance"].tolist() == pytest.approx([0.05, 0.05, 5.05, 5.05, 0.05, 0.05])
    assert frame.loc["Newest", "outcome"].tolist() == [ABSENT, ABSENT]
    assert set(frame["outcome"]) == {AGREES, DIFFERS, KNOWN, ABSENT}
    assert cells(paper.content["tables"][1], ours)["outcome"].tolist() == [UNLIKE]


@pytest.mark.parametrize(
    ("difference", "unlike", "reason", "outcome"),
    [
        (0.1, None, None, AGREES),
        (-0.1, None, "why", AGREES),
        (0.11, None, None, DIFFERS),
        (-0.11, None, "why", KNOWN),
        (0.0, "other data", None, UNLIKE),
        (math.nan, "other data", "why", ABSENT),
    ],
)
def test_outcome_of_a_figure(difference, unlike, reason, outcome):
    assert outcome_of(8.5, 8.5 + difference, 0.1, unlike, reason) == outcome


def test_a_figure_that_was_not_printed_is_shown_and_not_judged(paper, ours):
    table = paper.content["tables"][0]
    rows = {"Popular": table["rows"]["Popular"] | {"printed": [None, 20.0], "tolerance": 100}}
    frame = cells(table | {"rows": rows}, ours)
    assert frame["outcome"].tolist() == [UNPRINTED, AGREES]
    newest = {"Newest": table["rows"]["Newest"] | {"printed": [None, 2]}}
    paper.content["tables"] = [table | {"rows": newest}]
    assert all_cells(paper)["outcome"].tolist() == [ABSENT], "what is neither printed nor run is no figure"
    assert np.isfinite(frame["ours"]).all()
    assert "1 of our figures have no counterpart in the paper" in str(on_figures(Counter(frame["outcome"])))


def test_a_figure_of_the_paper_that_was_not_at_hand_is_not_said_to_be_missing_there(paper, ours):
    table = paper.content["tables"][0] | {"not_at_hand": True}
    rows = {name: row | {"printed": [None, 20.0], "tolerance": 100} for name, row in table["rows"].items()}
    paper.content["tables"] = [table | {"rows": rows}]
    frame = all_cells(paper)
    assert set(frame["outcome"]) == {NOT_AT_HAND, AGREES, ABSENT}
    told = str(on_figures(Counter(frame["outcome"])))
    assert "2 of our figures stand alone, since the paper’s were not at hand" in told
    assert "no counterpart in the paper" not in told
    page = BeautifulSoup(report.paper_tables(paper).html, "html.parser")
    titles = {cell["title"] for cell in page.select("tbody td[title]")}
    assert "the paper has this figure, but it was not at hand" in titles
    assert "the paper has no such figure" not in titles


def test_a_row_that_no_variant_gives_is_marked_with_what_was_tried(paper, ours):
    table = paper.content["tables"][0]
    rows = {"Random": {"where": {"model": "random"}, "printed": [99.0, 98.0], "tried": "every seed up to 9"}}
    frame = cells(table | {"rows": rows}, ours)
    assert frame["outcome"].tolist() == [NOT_REPRODUCED] * 2
    page = BeautifulSoup(shown(table | {"rows": rows}, ours, None).html, "html.parser")
    assert page.select_one("tbody th").get_text() == "Random (not reproduced)"
    assert "Random: every seed up to 9." in page.get_text()
    assert "<b>2</b> are in rows that could not be reproduced" in str(on_figures(Counter(frame["outcome"])))
    near = {"Random": rows["Random"] | {"printed": frame["ours"].round(1).tolist()}}
    assert cells(table | {"rows": near}, ours)["outcome"].tolist() == [AGREES] * 2


def test_figures_of_another_split_are_not_judged(paper, ours):
    table = paper.content["tables"][0]
    assert set(cells(table | {"split": "holdout"}, ours)["outcome"]) == set(cells(table, ours)["outcome"])
    assert set(cells(table | {"split": "given"}, ours)["outcome"]) == {UNLIKE, ABSENT}
    page = text_of(shown(table | {"split": "given"}, ours, None))
    assert "Not judged: their figures are of the split given, ours of holdout." in page


def test_a_row_may_be_unlike_too(paper, ours):
    table = paper.content["tables"][0]
    rows = table["rows"] | {"Random": table["rows"]["Random"] | {"unlike": "it is larger"}}
    frame = cells(table | {"rows": rows}, ours).set_index("row")
    assert set(frame.loc["Random", "outcome"]) == {UNLIKE}
    assert UNLIKE not in set(frame.loc["Popular", "outcome"])
    assert "Not judged: it is larger." in text_of(shown(table | {"rows": rows}, ours, None))


def test_an_error_of_other_users_is_judged_against_what_is_expected(paper, ours):
    """Of twice our users: the printed figure and its deviation are smaller by the root of two, and so not ours."""
    n_users = int(ours.figure("facts", "users", {}))
    table = paper.content["tables"][0] | {"spreads": 3, "repeats": 100, "digits": 6}
    here = cells(table, ours).set_index(["row", "column"]).at[("Popular", "at 1"), "ours"]
    row = {"where": table["rows"]["Popular"]["where"], "printed": [f"{here / math.sqrt(2)}±{here / 100}", here]}
    key = {"users": {ours.dataset: 2 * n_users}}
    columns = {"at 1": table["columns"]["at 1"] | {"expected": key}, "as printed": table["columns"]["at 1"]}
    table |= {"rows": {"Popular": row}, "columns": columns}
    judged, printed = cells(table, ours).to_dict("records")
    assert (judged["outcome"], printed["outcome"]) == (AGREES, AGREES)
    assert judged["expected"] == pytest.approx(here)
    assert judged["difference"] == pytest.approx(0, abs=1e-9)
    spread = 3 * here / 100 * math.sqrt(2 / 100)
    assert judged["tolerance"] == pytest.approx(math.sqrt(2) * (spread + 0.5e-6))
    assert printed["expected"] == printed["theirs"]
    assert "1.414 times the printed figure" in judged["note"]
    assert printed["note"] is np.nan
    assert f"{n_users} here and {2 * n_users} there" in text_of(shown(table, ours, None))
    table["columns"] = {name: column | {"expected": key} for name, column in columns.items()}
    assert cells(table, ours)["outcome"].tolist() == [AGREES, DIFFERS]
    table["expected"] = {"users": {ours.dataset: n_users, "other": 5}}
    table["columns"] = {name: columns["as printed"] for name in columns}
    assert cells(table, ours)["outcome"].tolist() == [DIFFERS, AGREES], "as many users: as printed"


def test_columns_tell_how_many_figures_agree_and_what_was_not_run(paper, ours):
    table = paper.content["tables"][0]
    frame = cells(table, ours)
    judged = frame[frame["outcome"].isin([AGREES, DIFFERS, KNOWN])]
    expected = [
        f"{(own['outcome'] == AGREES).sum()} of {len(own)}"
        for own in (judged[judged["column"] == column] for column in table["columns"])
    ]
    page = BeautifulSoup(shown(table, ours, None).html, "html.parser")
    assert [cell.get_text() for cell in page.select("tfoot td")] == expected
    assert any("not run here" in cell.get_text() for cell in page.select("tbody td"))
    assert not Comparison(paper.content["tables"][1], cells(paper.content["tables"][1], ours)).agreed


def test_a_row_may_be_of_one_dataset(paper, ours):
    table = paper.content["tables"][0]
    popular = table["rows"]["Popular"]
    rows = {name: popular | {"where": {"model": "popularity", "dataset": name}} for name in ("toy", "other")}
    assert cells(table | {"rows": rows}, ours).set_index("row").loc["other", "outcome"].tolist() == [ABSENT] * 2
    assert ABSENT not in set(cells(table | {"rows": {"toy": rows["toy"]}}, ours)["outcome"])


def test_tables_rows_and_columns_may_name_a_dataset(paper, config):
    """Such a table stands once on the page, and its figures are those of the named dataset."""
    config["select"]["datasets"] = ["other", "toy"]
    table = paper.content["tables"][0]
    popular = table["rows"]["Popular"]
    columns = {name: table["columns"]["at 1"] | {"dataset": name} for name in ("toy", "other", "unselected")}
    row = popular | {"printed": [7, 8, 9]}
    paper.content["tables"] = [table | {"columns": columns, "rows": {"Popular": row}, "unlike": {"toy": "it is a toy"}}]
    frame = all_cells(paper)
    assert frame["outcome"].tolist() == [UNLIKE, ABSENT, ABSENT]
    single = cells(table, paper.ours[1]).set_index(["row", "column"])
    assert frame["ours"][0] == single.at[("Popular", "at 1"), "ours"]
    page = text_of(report.paper_tables(paper))
    assert page.count("theirs above") == 1
    assert "Not judged: it is a toy." in page
    assert page.count("not run here") == 4, "two cells, and twice in the list of every figure"
    reasons = {"toy": "it is a toy", "other": "it is another", "unselected": "it is not here"}
    paper.content["tables"][0]["unlike"] = reasons
    page = text_of(report.paper_tables(paper))
    assert "Not judged (toy): it is a toy." in page
    assert "Not judged (other): it is another." in page
    assert "it is not here" not in page.partition("Every figure")[0], "no dataset of this study"
    other = {"Other": popular | {"dataset": "unselected"}, "Toy": popular | {"dataset": "toy"}}
    page = text_of(shown(table | {"rows": other}, paper.ours[1], None))
    assert "Not in this study, so only in the list below: unselected." in page
    page = shown(table | {"rows": {"Other": other["Other"]}}, paper.ours[1], None)
    assert "theirs above" not in text_of(page), "no table where no figure was run"
    assert list(page.files) == ["table_1.csv", "table_1.tex"]
    paper.content["tables"] = [table | {"unlike": {"other": "it is another"}}]
    assert AGREES in set(all_cells(paper)["outcome"])
    assert len(all_cells(paper)) == 2 * 6


def test_curves_are_artefacts_too(paper, config):
    ours = dataclasses.replace(paper.ours[0], split="last_one")
    mapping = read_table(FIXTURE / "results/curves/toy/last_one/mapping.parquet")
    row = mapping[(mapping["mapping"] == "bound") & (mapping["k"] == "2") & (mapping["model"] == "random")].iloc[0]
    assert ours.figure("mapping", "exact", {"mapping": "bound", "k": "2", "model": "random"}) == row["exact"]
    where = {"sampler": "users", "estimator": "user_mean", "model": "random", "metric": "recall"}
    assert ours.figure("error", "error", where) > 0


def test_spread_of_a_difference_is_that_of_many_experiments():
    """Two experiments of 100 repeats each, done again and again."""
    rng = np.random.default_rng(0)
    means = rng.normal(8.5, 0.25, (2, 4000, 100)).mean(axis=2)
    assert spread_of_difference(8.5, 0.25, 100) == pytest.approx((means[0] - means[1]).std(), rel=0.05)
    counts = rng.binomial(100, 0.3, (2, 40000))
    assert spread_of_difference(30, 0, 100, counts=True) == pytest.approx((counts[0] - counts[1]).std(), rel=0.05)
    assert spread_of_difference(0, 0, 100, counts=True) > 0
    assert spread_of_difference(8.5, 0.25) == 0.25


def test_findings_have_every_outcome(paper, ours):
    found = [check(finding, ours) for finding in paper.content["findings"]]
    assert [one.outcome for one in found] == [REPRODUCED, PARTLY, NOT_AT_ALL, CANNOT, CANNOT]
    assert (found[1].right, found[1].of) == (3, 6)
    assert "newest" in found[3].evidence
    assert found[4].evidence == "nobody asked them"
    power = read_table(FIXTURE / "results/meta/toy/holdout/discriminative_power.parquet").set_index(["metric", "k"])
    assert f"recall: @1 {power.at[('recall', '1'), 'dp']:.3f}" in found[1].evidence


def test_statements_without_a_figure_are_not_counted_as_true(paper, ours):
    """Half of the statements are about a model that the study does not have."""
    finding = paper.content["findings"][0]
    newest = {"newest": {"where": {"model": "newest"}}}
    lacking = finding | {
        "figures": finding["figures"] | newest,
        "holds": [*finding["holds"], "cf > newest", "newest > random"],
    }
    found = check(lacking, ours)
    assert (found.outcome, found.right, found.of, found.stated) == (SO_FAR, 2, 2, 4)
    assert found.in_words == "✓ reproduced as far as checked, 2 of 4 statements checked"
    assert "newest –" in found.evidence
    wrong = lacking | {"holds": ["cf < random", *lacking["holds"]]}
    assert check(wrong, ours).in_words == "◐ partly (2 of 3), 3 of 5 statements checked"
    wrong = lacking | {"holds": ["cf < random", "cf > newest"]}
    assert check(wrong, ours).in_words == "✗ not reproduced, 1 of 2 statements checked"
    assert "2 of 4 statements checked" in text_of(findings_table([lacking], ours, None))
    paper.content["findings"] = [lacking, *paper.content["findings"]]
    text = text_of(report.paper_verdict(paper))
    assert "Of 6 findings 1 are reproduced, 1 more as far as this study could check them, 1 partly" in text


def test_exceptions_that_the_paper_allows(paper, ours):
    finding = paper.content["findings"][1]
    assert check(finding | {"exceptions": 2}, ours).outcome == PARTLY
    assert check(finding | {"exceptions": 3}, ours).outcome == REPRODUCED


@pytest.mark.parametrize(
    ("statement", "expected"),
    [("a < b", True), ("b <= a", False), ("a >= 1", True), ("b > 2.5", False), ("a < missing", None)],
)
def test_statements(statement, expected):
    assert holds(statement, {"a": 1.0, "b": 2.0, "missing": math.nan}) is expected


def test_rows_are_chosen_by_value_list_and_limit(ours):
    swept = read_table(FIXTURE / "results/meta/toy/holdout/robustness.parquet")
    rows = swept[(swept["bias"] == "sparsity") & (swept["metric"] == "recall") & (swept["k"].isin(["1", "5"]))]
    where = {"bias": "sparsity", "metric@k": ["recall@1", "recall@5"], "fraction": {"below": 1}}
    expected = rows[rows["fraction"] < 1]["tau"].fillna(0).mean()
    assert ours.figure("robustness", "tau", where, take="mean") == pytest.approx(expected)
    at = where | {"fraction": 0.6}
    expected = rows[np.isclose(rows["fraction"], 0.6)]["tau"].fillna(0).min()
    assert ours.figure("robustness", "tau", at, take="min") == pytest.approx(expected)
    with pytest.raises(ValueError, match="rows of robustness"):
        ours.figure("robustness", "tau", where)


def test_what_the_study_has_not_is_missing_not_wrong(ours):
    assert math.isnan(ours.figure("accuracy", "mean", {"model": "random"}))
    assert math.isnan(ours.figure("summary", "value", {"sampler": "uniform"}))
    assert math.isnan(ours.figure("summary", "value", {"model": "newest"}))


def test_sizes_of_the_dataset_are_figures_too(ours):
    facts = read_json(FIXTURE / "results/datasets/toy/summary.json")
    assert ours.figure("facts", "users", {}) == facts["users"]
    filled = 100 * facts["interactions"] / (facts["users"] * facts["items"])
    assert ours.figure("facts", "sparsity", {}, scale=100) == pytest.approx(100 - filled)
    assert math.isnan(ours.figure("facts", "users", {}, dataset="elsewhere"))


def test_all_migration_is_up_and_down(ours):
    table = read_table(FIXTURE / "results/meta/toy/holdout/migration.parquet").set_index("level")
    found = ours.figure("migration", "moved", {"model": "item_cf", "level": "high"})
    assert found == pytest.approx(1 - table.at["high", "accurate"])


def test_specifications_are_joined_and_the_last_one_wins():
    one, other = {"value": "a", "scale": 2, "where": {"k": "5", "m": "x"}}, {"value": "b", "where": {"m": "y"}}
    assert merged(one, other) == {"value": "b", "scale": 2, "where": {"k": "5", "m": "y"}}


def test_the_page_says_how_many(paper):
    text = text_of(report.paper_verdict(paper))
    assert "2 of 4 figures agree" in text
    assert "1 differ, and 1 more for a known reason" in text
    assert "2 figures have no counterpart" in text
    assert "Of 5 findings 1 are reproduced, 1 partly, 1 not, and 2 cannot be checked" in text


def test_difference_is_a_sign_not_only_a_colour(paper):
    page = BeautifulSoup(report.paper_tables(paper).html, "html.parser")
    apart = page.select("td.apart")
    assert [cell.b.text for cell in apart] == ["≠*", "≠"]
    assert all(cell["title"] for cell in apart)
    assert page.select_one("table[aria-labelledby=table_2-compared] td b").text == "~"


def test_findings_of_several_datasets_are_counted_per_dataset():
    count = Counter([REPRODUCED, SO_FAR, SO_FAR])
    assert "Of 3 findings, counted per dataset, <b>1</b> are reproduced, 2 more" in str(on_findings(count, 2))
    assert "Of 3 findings <b>1</b> are reproduced" in str(on_findings(count, 1))


def test_several_datasets_have_headings_and_files_of_their_own(paper, config):
    config["select"]["datasets"] = ["toy", "other"]
    tables, findings = report.paper_tables(paper), report.paper_findings(paper)
    assert text_of(tables).count("Table 1, precision in per cent; theirs above") == 2
    assert {"table_1_toy.csv", "table_1_other.csv"} <= set(tables.files)
    assert {"findings_toy.csv", "findings_other.csv"} <= set(findings.files)
    assert {dataset for _, outcomes in checked_findings(paper) for dataset in outcomes} == {"toy", "other"}


def test_paper_without_tables_or_findings_says_so(paper):
    paper.content.pop("tables")
    paper.content.pop("findings")
    assert "No figure of this paper can be compared" in text_of(report.paper_tables(paper))
    assert "No finding of this paper is listed" in text_of(report.paper_findings(paper))
    assert "No figure is compared" in text_of(report.paper_verdict(paper))


def test_index_links_to_the_page(config):
    index = report.open_index(FIXTURE / "results", config | {"paper": "valcarce2018"}, {})
    assert 'href="paper/valcarce2018.html"' in report.papers(index).html
    assert report.papers(report.open_index(FIXTURE / "results", config, {})).html == ""
