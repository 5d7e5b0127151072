"""Tables show, sort and give away the numbers they were made from."""

import io

import numpy as np
import pandas as pd
from bs4 import BeautifulSoup
from truerank.report.block import FILES
from truerank.report.standings import standings_table
from truerank.report.table import Column, Table, show

HOSTILE = "<script>alert(1)</script>"


def cells(table):
    rows = BeautifulSoup(table.html, "html.parser").select("tbody tr")
    return [[cell for cell in row.find_all(["th", "td"])] for row in rows]


def standings_of(part):
    return standings_table(part, "leaderboard_ranking", part.headlines)


def test_leaderboard_shows_the_summary(ranking):
    table = standings_of(ranking)
    summary = ranking.summary.set_index(["model", "metric", "k"])
    for row in cells(table):
        values = [cell for cell in row[1:] if cell.has_attr("data-value")]
        for cell, (metric, k) in zip(values, ranking.headlines, strict=True):
            expected = summary.loc[(row[0].text, metric, k)]
            assert float(cell["data-value"]) == expected["value"]
            assert cell.contents[0] == f"{expected['value']:.4f}"
            assert cell.small.text == f"{expected['ci_low']:.4f} to {expected['ci_high']:.4f}"


def test_best_is_first_and_says_so(ranking):
    table = standings_of(ranking)
    values = [float(row[1]["data-value"]) for row in cells(table)]
    assert values == sorted(values, reverse=True)
    heads = BeautifulSoup(table.html, "html.parser").select("thead th")
    assert [head["aria-sort"] for head in heads] == ["none", "descending", *["none"] * 4]
    assert all(head["scope"] == "col" and head.button for head in heads)


def test_csv_holds_every_column_in_full(ranking):
    table = standings_of(ranking)
    read = pd.read_csv(io.StringIO(table.files["leaderboard_ranking.csv"]))
    pd.testing.assert_frame_equal(read, table.frame, check_dtype=False, rtol=1e-15)


def test_latex_rounds_and_escapes():
    frame = pd.DataFrame({"model": ["item_cf & co"], "value": [0.123456], "low": [0.1], "high": [0.2]})
    columns = [Column("model"), Column("value", digits=4, low="low", high="high")]
    latex = Table("t", frame, "caption", columns).files["t.tex"]
    assert r"item\_cf \& co & 0.1235 & 0.1000 & 0.2000 \\" in latex


def test_names_in_a_table_are_text():
    frame = pd.DataFrame({HOSTILE: [HOSTILE], "address": [f"{HOSTILE}.html"]})
    html = Table("t", frame, HOSTILE, [Column(HOSTILE, link="address")]).html
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 7


def test_missing_values_show_as_a_dash_and_sort_as_nothing():
    frame = pd.DataFrame({"model": ["a", "b"], "value": [np.nan, 1.5]})
    missing, present = (row[1] for row in cells(Table("t", frame, "caption")))
    assert (missing.text, missing["data-value"]) == ("\N{EN DASH}", "")
    assert (present.text, present["data-value"]) == ("1.5", "1.5")


def test_numbers_for_readers():
    assert [show(1234567), show(0.25), show(1234.5, 1), show(True), show(None)] == [
        "1,234,567",
        "0.25",
        "1,234.5",
        "True",
        "\N{EN DASH}",
    ]


def test_files_travel_with_the_output(ranking):
    bundle = standings_of(ranking)._repr_mimebundle_()
    assert set(bundle[FILES]) == {"leaderboard_ranking.csv", "leaderboard_ranking.tex"}
    assert "<table" in bundle["text/html"]
