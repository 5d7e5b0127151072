"""Letters, training curves, levels of relevance and many models: what is shown is what the artefacts hold."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from truerank import report
from truerank.artefacts.files import read_table, write_table
from truerank.report.cutoffs import cutoff_figure
from truerank.report.figure import Figure
from truerank.report.grouped import alike, letter, letters, n_separated
from truerank.report.levels import metrics_at_levels
from truerank.report.theme import REST, STYLES, line_style, panel, styles


def text_of(block):
    return BeautifulSoup(block.html, "html.parser").get_text(" ")


@pytest.mark.parametrize("headline", [("ndcg", "10"), ("auc", "all"), ("precision", "3")], ids="@".join)
def test_models_share_a_letter_exactly_where_the_test_does_not_tell_them_apart(study, headline):
    part = study.parts[0]
    tests = read_table(study.results / "meta/toy/holdout/significance.parquet")
    tests = tests[(tests["metric"] == headline[0]) & (tests["k"] == headline[1])]
    found = letters(part, *headline)
    assert set(found) == set(part.models)
    for row in tests.itertuples():
        assert bool(set(found[row.model_a]) & set(found[row.model_b])) == (row.p_holm >= 0.05)
    assert n_separated(part, *headline) == (int((tests["p_holm"] < 0.05).sum()), 3)


def test_letters_go_on_after_z_and_need_tests(study):
    assert [letter(0), letter(25), letter(26), letter(53)] == ["a", "z", "a1", "b2"]
    assert alike(study.parts[0], "ndcg", "10")
    study.parts[0].p_values.clear()
    assert letters(study.parts[0], "ndcg", "10") == {}


def test_training_curves_are_the_tables(results, config):
    curve = pd.DataFrame({"step": [1, 2, 3], "loss": [0.9, 0.5, 0.4], "seconds": [0.1, 0.2, 0.3]})
    write_table(results / "models/toy/holdout/item_cf/training.parquet", curve)
    write_table(results / "models/toy/holdout/random/training.parquet", curve.iloc[:0])
    study = report.open_study(results, "toy", config, {})
    figure, table = report.training_curves(study).blocks[1].blocks
    (axes,) = figure.panels.values()
    np.testing.assert_array_equal(axes.lines[0].get_xydata(), curve[["step", "loss"]])
    assert table.frame.to_dict("list") == {
        "model": ["item_cf"],
        "steps": [3],
        "first": [0.9],
        "last": [0.4],
        "seconds": [0.3],
    }
    assert "no model of this part is trained step by step" in text_of(report.training_curves(study))


def test_levels_are_the_summary(results, config):
    path = results / "metrics/toy/holdout/summary.parquet"
    summary = read_table(path)
    rows = [
        summary[summary["metric"] == "auc"].assign(metric=f"sdcse_{level}", value=lambda t, n=n: t["value"] / n)
        for n, level in enumerate(("low_high", "high"), 1)
    ]
    write_table(path, pd.concat([summary, *rows]))
    config["metrics"] = {
        f"sdcse_{level}": {"kind": "sdcse", "relevance": {"threshold": level}} for level in ("low_high", "high")
    }
    config["select"]["ranking"]["metrics"] += list(config["metrics"])
    study = report.open_study(results, "toy", config, {})
    assert "<details><summary>Metrics at levels of relevance" in report.relevance_levels(study).html
    figure, table = metrics_at_levels(study).blocks
    auc = summary[summary["metric"] == "auc"].set_index("model")["value"]
    frame = table.frame.set_index("model")
    for line in next(iter(figure.panels.values())).lines:
        np.testing.assert_array_equal(line.get_ydata(), [auc[line.get_label()], auc[line.get_label()] / 2])
        assert frame.at[line.get_label(), "high"] == auc[line.get_label()] / 2


def test_models_get_their_colours_in_a_given_order_or_best_first(study, config):
    order = study.parts[0].models[::-1]
    for given, expected in ((order, order), ([], order[::-1])):
        looks = report.open_study(study.results, "toy", config, {}, order=given).styles
        assert looks == styles(expected)
        assert list(looks) == expected


def test_without_levels_it_says_so(study):
    assert "Levels of relevance do not apply" in text_of(report.relevance_levels(study))


def many(results, config, count=24):
    """The fixture with ``count`` models, copies of its own under other names."""
    names = {f"model_{n}": ("item_cf", "popularity", "random")[n % 3] for n in range(count)}
    path = results / "metrics/toy/holdout/summary.parquet"
    summary = read_table(path)
    copies = [summary[summary["model"] == source].assign(model=name) for name, source in names.items()]
    write_table(path, pd.concat(copies))
    tests = read_table(results / "meta/toy/holdout/significance.parquet")
    keys = tests[["metric", "k"]].drop_duplicates().to_dict("records")
    pairs = [
        {**key, "model_a": a, "model_b": b, "difference": 0.1, "p_value": 0.5, "p_holm": 1.0 if (n % 2) else 0.01}
        for key in keys
        for n, (a, b) in enumerate(combinations(names, 2))
    ]
    write_table(results / "meta/toy/holdout/significance.parquet", pd.DataFrame(pairs))
    for name, source in names.items():
        ranks = results / "ranks/toy/holdout"
        (ranks / f"{name}.parquet").write_bytes((ranks / f"{source}.parquet").read_bytes())
        config["models"][name] = config["models"][source]
    del config["select"]["sampling"]
    config["select"]["ranking"]["models"] = list(names)
    return report.open_study(results, "toy", config, {})


@pytest.mark.slow
def test_twenty_four_models_stay_readable(results, config):
    study = many(results, config)
    (part,) = study.parts
    figure = cutoff_figure(part, {"recall": ["1", "3", "5", "10"]})
    (axes,) = figure.panels.values()
    grey = [line for line in axes.lines if line.get_color() == REST.colour]
    assert len(axes.lines) == 24
    assert len(axes.lines) - len(grey) == len(STYLES) <= 10
    assert list(figure.legend)[-1] == "the other 16, in grey"
    table = report.discriminative_power(study).blocks[0].blocks[-1].blocks[0]
    assert len(table.frame) == 24 * 23 // 2
    assert "group by ndcg@10" in report.leaderboard(study).html
    sections = (report.leaderboard, report.cutoff_curves, report.rank_distributions, report.discriminative_power)
    assert sum(len(section(study).html) for section in sections) < 1_500_000


def test_markers_of_long_lines_stand_apart():
    looks = styles(map(str, range(9)))
    assert line_style(looks["0"], 5)["markevery"] is None
    assert len({line_style(looks[str(n)], 200)["markevery"] for n in range(8)}) == 8
    assert "marker" not in line_style(looks["8"], 5)


def test_logarithmic_ticks_are_numbers():
    with panel("a") as axes:
        axes.plot([1, 10_000], [1, 2])
        axes.set_xscale("log")
    html = Figure("a", {"a": axes}, "a").html
    assert ">1,000<" in html
    assert "mathdefault" not in html
