"""Plans: figures of the paper, one table for every kind, and mistakes in one sentence."""

import json

import numpy as np
import pandas as pd
import pytest
import truerank as tr
from truerank.api.plan import KINDS
from truerank.cli import main
from truerank.cli.plan import KINDS as WORDS
from truerank.core.informed_plan import Tried, scores_for
from truerank.provenance import generator


def test_users_for_a_margin_are_the_papers_figures():
    """z(.975)^2 / 4 / .01^2 = 9,604, and ln(2 / .05) / 2 / .01^2 = 18,445 without assumptions."""
    found = tr.plan("users", margin=0.01)
    assert dict(zip(found.plan.method, found.plan.users, strict=True)) == {"normal": 9604, "Hoeffding": 18445}
    assert found.plan.equals(tr.plan(margin=0.01).plan), "users are what is planned where no kind is given"
    assert tr.plan(margin=0.01, models=2, population=6040).plan.users.tolist() == [4079, 4596, 6040]


def test_shell_and_python_have_the_same_kinds_and_numbers(tmp_path, capsys):
    assert WORDS == KINDS
    for kind in ([], ["users"]):
        assert main(["plan", *kind, "--margin", "0.02", "--models", "3", "--json", str(tmp_path / "plan.json")]) == 0
        told = [int(line.split()[0].replace(",", "")) for line in capsys.readouterr().out.splitlines()]
        assert json.loads((tmp_path / "plan.json").read_text()) == tr.plan("users", 0.02, models=3).to_dict()
        assert told == tr.plan("users", 0.02, models=3).plan.users.tolist()


def test_plans_that_make_no_sense_are_refused():
    for given, sentence in [
        ({"kind": "days"}, "kind of plan 'days'"),
        ({"margin": 0}, "margin is 0, expected more than 1e-06"),
        ({"margin": 0.1, "models": 1.5}, "models is 1.5, expected a whole number"),
        ({"margin": 0.1, "confidence": 1}, "confidence is 1"),
    ]:
        with pytest.raises(tr.UserError, match=sentence):
            tr.plan(**given)


@pytest.fixture(scope="module")
def exact():
    """2,000 exact ranks among 400 candidates."""
    rng = generator(1, "plan")
    return np.minimum(1 + (400 * rng.random(2000) ** 4).astype(int), 400)


@pytest.mark.slow
def test_negatives_narrow_bounds_to_a_width(exact, tmp_path, capsys):
    frame = pd.DataFrame({"user": range(2000), "rank": exact, "candidates": 400})
    found = tr.plan("negatives", frame, width=0.2)
    (row,) = found.to_dict()["plan"]
    assert [*row] == ["metric", "k", "width", "negatives", "low", "high"]
    assert row["high"] - row["low"] <= 0.2
    assert row["low"] <= (exact <= 10).mean() <= row["high"]
    assert found.plan.equals(tr.plan("negatives", exact, items=400, width=0.2).plan)
    assert tr.plan("negatives", frame, width=0.2, users=100_000).plan["negatives"][0] < row["negatives"]
    frame.to_csv(tmp_path / "ranks.csv", index=False)
    path = str(tmp_path / "plan.json")
    words = ["--metric", "recall@10", "--width", "0.2", str(tmp_path / "ranks.csv"), "--json", path]
    assert main(["plan", "negatives", *words]) == 0
    assert f"{row['negatives']:,} negatives: recall@10 within bounds" in capsys.readouterr().out
    assert json.loads((tmp_path / "plan.json").read_text())["plan"] == [row]


@pytest.mark.slow
def test_sampled_ranks_plan_too_and_tell_what_they_identify(exact):
    sampled = 1 + generator(2, "plan").hypergeometric(exact - 1, 400 - exact, 40)
    found = tr.plan("negatives", sampled, items=400, negatives=40, width=0.2)
    (row,) = found.to_dict()["plan"]
    assert row["negatives"] > 40
    (first,) = found.to_dict()["identified"]
    assert first["high"] - first["low"] <= 0.2
    assert first["low"] <= (exact <= int(first["k"])).mean() <= first["high"]
    assert any("monotone_mle" in note for note in found.notes)


def test_negatives_that_no_number_is_enough_for_are_told(exact):
    found = tr.plan("negatives", exact, items=400, width=0.001)
    assert found.to_dict()["plan"][0]["negatives"] is None
    assert any("even all other candidates leave bounds of" in note for note in found.notes)


def test_plans_of_negatives_that_make_no_sense_are_refused():
    for given, sentence in [
        ({"ranks": [1, 2]}, "items is not given, expected how many candidates"),
        ({"ranks": [1, 20], "items": 10}, "rank number 2 is 20, expected a whole number from 1 to 10"),
        ({"ranks": [1, 2], "items": 10, "width": 0}, "width is 0, expected more than 0"),
        ({"ranks": [1, 2], "items": 10, "negatives": 10}, "expected more items than negatives"),
    ]:
        with pytest.raises(tr.UserError, match=sentence):
            tr.plan("negatives", **given)


@pytest.fixture(scope="module")
def rows():
    """Users with ten training items and one test item each, by item quality and chance."""
    rng = np.random.default_rng(3)
    taste = 1.2 * rng.normal(size=150) + rng.gumbel(size=(400, 150))
    best = np.argsort(-taste, axis=1)[:, :11]
    own = [best[:, 1:], best[:, :1]]
    return [{user: items.tolist() for user, items in enumerate(part)} for part in own]


@pytest.mark.slow
def test_scores_for_an_error_are_found_by_trying(rows, tmp_path, capsys):
    found = tr.plan("scores", *rows, error=0.2, k=3, stand_in="item_knn", repeats=2)
    tried = found.tried.groupby("method")
    assert list(found.plan.method) == ["informed", "uniform", "exact"]
    assert tried.size().to_dict() == {"informed": 3, "uniform": 3, "exact": 1}  # 15, 30, 60 of about 140
    needed = found.plan.set_index("method")
    assert needed.loc["exact", "scores"] < 130
    informed = found.tried[found.tried.method == "informed"]
    assert informed.scores.is_monotonic_increasing
    assert (informed.scores <= [15, 30, 60]).all()
    near = informed[informed.error <= 0.2].scores.min()
    assert needed.loc["informed", "scores"] <= near
    assert np.isnan(tr.plan("scores", *rows, error=1e-3, k=3, stand_in="item_knn", repeats=1).plan.scores[1])
    for name, part in zip(("train", "test"), rows, strict=True):
        lines = [f"{user},{item}" for user, items in part.items() for item in items]
        (tmp_path / f"{name}.csv").write_text("\n".join(["user,item", *lines]))
    files = [f"--{name}={tmp_path / name}.csv" for name in ("train", "test")]
    words = ["--error", "0.2", "--k", "3", "--stand-in", "item_knn", "--repeats", "2"]
    assert main(["plan", "scores", *files, *words]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[2].partition(",")[0] for line in told[:3]] == ["informed", "uniform", "exact"]
    assert float(told[2].split()[0]) == pytest.approx(needed.loc["exact", "scores"], abs=0.06)


def test_scores_between_points_are_read_on_logarithmic_scales():
    points = [Tried("informed", 10, 0.4), Tried("informed", 40, 0.1), Tried("uniform", 10, 0.05), Tried("exact", 90, 0)]
    assert scores_for(points, "informed", 0.2) == pytest.approx(20)
    assert scores_for(points, "informed", 0.1) == pytest.approx(40)
    assert np.isnan(scores_for(points, "informed", 0.05))
    assert scores_for(points, "uniform", 0.2) == 10
    assert scores_for(points, "exact", 0.2) == 90


def test_plans_of_scores_that_make_no_sense_are_refused(rows):
    for given, sentence in [
        ({"error": 0}, "error is 0"),
        ({"error": 0.1, "k": 0}, "k is 0"),
        ({"error": 0.1, "k": 149}, "the largest cut-off is 149"),
        ({"error": 0.1, "stand_in": "iasl"}, "unknown model 'iasl'"),
        ({"error": 0.1, "relevance": {"threshold": "user_mean"}}, "relevance is 'user_mean', expected a number"),
    ]:
        with pytest.raises(tr.UserError, match=sentence):
            tr.plan("scores", *rows, **given)
