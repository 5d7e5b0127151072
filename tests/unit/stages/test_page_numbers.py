"""Every number on the page is read from the artefacts: the page is compared with the Parquet files."""

import pytest
from bs4 import BeautifulSoup
from truerank.artefacts.files import read_json, read_table

from tests.support import ROOT

RESULTS = ROOT / "tests" / "fixture" / "results"
SPLIT = {"ranking": "holdout", "sampling": "last_one"}
PARTS = pytest.mark.parametrize("part", ["ranking", "sampling"])
pytestmark = pytest.mark.slow  # the pages are rendered first


@pytest.fixture(scope="session")
def page(rendered):
    return with_config_names(rendered / "toy.html")


@pytest.fixture(scope="session")
def index(rendered):
    return with_config_names(rendered / "index.html")


def with_config_names(path):
    """The page with the names of metrics as its tooltips have them: those of the config."""
    soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    for name in soup("abbr"):
        name.replace_with(name["title"])
    soup.smooth()
    return soup


def rows_of(page, table):
    """The rows of a table of the page as dictionaries: numbers as floats, None where missing, the rest as text."""
    found = page.select_one(f"table[aria-labelledby={table}-caption]")
    names = [head.get_text(strip=True) for head in found.select("thead th")]
    return [
        {name: value_of(cell) for name, cell in zip(names, row.find_all(["th", "td"]), strict=True)}
        for row in found.select("tbody tr")
    ]


def value_of(cell):
    if not cell.has_attr("data-value"):
        return cell.get_text(strip=True)
    return float(cell["data-value"]) if cell["data-value"] else None


def artefact(folder, split, name):
    return read_table(RESULTS / folder / "toy" / split / f"{name}.parquet")


def test_the_first_screen_has_the_figures_of_the_verdict(page):
    verdict = read_json(RESULTS / "verdict/toy.json")
    text = " ".join(page.select_one(".answers").get_text(" ").split())
    best = verdict["metrics"]
    assert f"{len(best['set'])} of {best['of']} metrics are not significantly worse than the best" in text
    assert f"{best['metric']}@{best['k']} is recommended by convention" in text
    assert f"{best['separated']} of {best['pairs']} pairs are separated" in text
    assert f"p-values sum to {best['dp']:.3g}" in text
    for of_bias in best["robust"].values():
        assert f"{of_bias['set']} of {of_bias['of']} metrics are not significantly worse than the one" in text
    sampling = verdict["sampling"]
    for name, found in sampling["samplers"].items():
        assert f"{name} {found['reversed']} of {found['orders']}" in text
    assert f"use {sampling['estimator']['name']} , which gets" in text
    summary = artefact("metrics", "holdout", "summary")
    ndcg = summary[(summary["metric"] == "ndcg") & (summary["k"] == "10")].nlargest(2, "value")
    for row in ndcg.itertuples():
        assert f"{row.value:.4f} (95 % interval {row.ci_low:.4f} to {row.ci_high:.4f})" in text
    tests = artefact("meta", "holdout", "significance")
    tests = tests[(tests["metric"] == "ndcg") & (tests["k"] == "10")]
    assert f"By ndcg@10, {(tests['p_holm'] < 0.05).sum()} of {len(tests)} pairs differ" in text
    accuracy = artefact("meta", "last_one", "accuracy").set_index(["estimator", "model", "metric", "k"])
    row = accuracy.loc[("uncorrected", "popularity", "recall", "10")]
    assert f"would read {row['mean']:.4f} where it is {row['exact']:.4f}" in text
    assert all(page.find(id=link["href"][1:]) for link in page.select(".answers a"))


@PARTS
def test_leaderboard(page, part, fixture_config):
    summary = artefact("metrics", SPLIT[part], "summary").set_index(["model", "metric", "k"])
    table = page.select_one(f"table[aria-labelledby=leaderboard_{part}-caption]")
    names = [button.text for button in table.select("thead th.number button")]
    assert len(names) == len(fixture_config["select"][part]["metrics"])
    for row in table.select("tbody tr"):
        for name, cell in zip(names, row.select("td.number"), strict=True):
            expected = summary.loc[(row.th.text, *name.split("@"))]
            assert float(cell["data-value"]) == expected["value"]
            assert cell.small.text == f"{expected['ci_low']:.4f} to {expected['ci_high']:.4f}"


@PARTS
def test_every_mean_at_every_cutoff(page, part, fixture_config):
    summary = artefact("metrics", SPLIT[part], "summary")
    summary = summary[summary["metric"].isin(fixture_config["select"][part]["metrics"])]
    shown = {
        (row["model"], row["metric"], name.removeprefix("@")): value
        for row in rows_of(page, f"metrics_{part}")
        for name, value in row.items()
        if name.startswith("@") and value is not None
    }
    assert shown == summary.set_index(["model", "metric", "k"])["value"].to_dict()


@PARTS
def test_discriminative_power_and_tests(page, part, fixture_config):
    power = artefact("meta", SPLIT[part], "discriminative_power").set_index(["metric", "k"])["dp"]
    rows = rows_of(page, f"discriminative_power_{part}")
    assert {row["metric"] for row in rows} == set(fixture_config["select"][part]["metrics"])
    for row in rows:
        for name, value in row.items():
            if name.startswith("@") and value is not None:
                assert value == power[(row["metric"], name[1:])]
    tests = artefact("meta", SPLIT[part], "significance").set_index(["model_a", "model_b", "metric", "k"])["p_holm"]
    for row in rows_of(page, f"significance_{part}"):
        for name, value in row.items():
            if "@" in name:
                assert value == tests[(row["model"], row["against"], *name.split("@"))]


@PARTS
def test_correlation(page, part):
    tau = artefact("meta", SPLIT[part], "correlation").set_index(["metric_a", "k_a", "metric_b", "k_b"])["tau"]
    rows = rows_of(page, f"correlation_{part}")
    assert rows
    for row in rows:
        assert row["tau"] == pytest.approx(tau[(*row["metric"].split("@"), *row["against"].split("@"))], nan_ok=True)


def test_robustness_and_migration(page):
    swept = artefact("meta", "holdout", "robustness")
    for row in rows_of(page, "robustness"):
        same = swept[
            (swept["bias"] == row["bias"]) & (swept["metric"] == row["metric"]) & (swept["k"] == row["cut-off"])
        ]
        assert row["mean tau"] == pytest.approx(same.loc[same["fraction"] == row["fraction"], "tau"].mean())
    migration = artefact("meta", "holdout", "migration").set_index(["model", "level"])
    rows = rows_of(page, "migration")
    assert len(rows) == len(migration)
    for row in rows:
        expected = migration.loc[(row["model"], row["rated"])]
        assert (row["up-sold"], row["down-sold"], row["perfect"]) == tuple(
            expected[["up_sold", "down_sold", "accurate"]]
        )
        assert row["either"] == expected["up_sold"] + expected["down_sold"]


def test_estimates_and_orders(page):
    accuracy = artefact("meta", "last_one", "accuracy").set_index(["sampler", "estimator", "model", "metric", "k"])
    for row in rows_of(page, "sampled_metrics"):
        metric, k = row["metric"].split("@")
        for model in ("item_cf", "popularity", "random"):
            if row["estimator"] == "exact":
                expected = accuracy.xs((model, metric, k), level=["model", "metric", "k"])["exact"].iloc[0]
            else:
                expected = accuracy.at[(row["sampler"], row["estimator"], model, metric, k), "mean"]
            assert row[model] == expected
    order = artefact("meta", "last_one", "order")
    for row in rows_of(page, "orders"):
        metric, k = row["metric"].split("@")
        same = order[(order["sampler"] == row["sampler"]) & (order["estimator"] == row["estimator"])]
        same = same[(same["metric"] == metric) & (same["k"] == k)]
        shares = 100 * same["right"] / same["repeats"]
        assert row["right order, all pairs (% of repeats)"] == pytest.approx(shares.mean())
        assert row["worst pair (%)"] == pytest.approx(shares.min())


def test_users_crossings_and_mappings(page):
    users = artefact("meta", "last_one", "user_sampling").set_index(["sampler", "model", "metric", "k"])
    for row in rows_of(page, "user_sampling"):
        expected = users.loc[(row["sampler"], row["model"], *row["metric"].split("@"))]
        assert (row["exact"], row["mean"], row["sd"]) == tuple(expected[["exact", "mean", "sd"]])
    crossings = artefact("curves", "last_one", "crossings").set_index(["model_a", "model_b"])
    for row in rows_of(page, "crossings"):
        expected = crossings.loc[(row["model"], row["and"])]
        assert (row["crossings"], row["first at K"]) == tuple(expected[["crossings", "first"]])
    mapping = artefact("curves", "last_one", "mapping")
    for row in rows_of(page, "mappings"):
        for model in ("item_cf", "popularity", "random"):
            same = mapping[(mapping["mapping"] == row["mapping"]) & (mapping["model"] == model)]
            assert row[model] == pytest.approx((same["sampled"] - same["exact"]).abs().mean())


def test_index(index):
    power = artefact("meta", "holdout", "discriminative_power").set_index(["metric", "k"])["dp"]
    rows = rows_of(index, "power_every")
    assert len(rows) == len(power)
    assert all(row["toy"] == power[(row["metric"], row["cut-off"])] for row in rows)
    assert [row["cut-off"] for row in rows_of(index, "power")] == ["10", "10", "10", "all"]
    migration = artefact("meta", "holdout", "migration").set_index(["model", "level"])
    for row in rows_of(index, "migration"):
        widest = migration.loc[(row["model"], "low_high")]
        assert row["toy"] == widest["up_sold"] + widest["down_sold"]
    verdict, (row,) = read_json(RESULTS / "verdict/toy.json"), rows_of(index, "verdicts")
    best = verdict["metrics"]
    assert row["metric to report"] == f"{best['metric']}@{best['k']}"
    (found,) = verdict["sampling"]["samplers"].values()
    assert row["orders reversed by sampling"] == f"{found['reversed']} of {found['orders']}"
