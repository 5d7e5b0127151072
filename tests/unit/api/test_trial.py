"""The front door of trials: the numbers of a study, tables of any form, and one sentence for each mistake."""

import doctest
import json
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import truerank as tr
from truerank.cli import main

from tests.support import ROOT

RESULTS = ROOT / "tests" / "fixture" / "results"
VALUES = RESULTS / "metrics" / "toy" / "holdout" / "per_user.parquet"
RANKS = RESULTS / "ranks" / "toy" / "holdout"
TRAIN = RESULTS / "splits" / "toy" / "holdout" / "train.parquet"
COLUMNS = ["metric", "k", "dp", "dp_ordered", "same_pairs", "dp_low", "dp_high", "separated"]
COLUMNS += ["criterion", "criterion_se", "in_best_set"]


def made(n=60, models="abc", seed=3, **more):
    """Values of three models, the second little better than the first and the third much."""
    rng = np.random.default_rng(seed)
    taste = rng.random(n)
    better = dict(zip("abc", (0.0, 0.02, 0.3), strict=True))
    frames = [
        pd.DataFrame(
            {
                "model": model,
                "user": [f"u{user}" for user in range(n)],
                "ndcg@10": np.clip(taste * 0.5 + better[model] + rng.normal(0, 0.1, n), 0, 1),
                "precision@10": rng.integers(0, 5, n) / 10 + better[model] / 4,
                "own@all": rng.random(n),
                **more,
            }
        )
        for model in models
    ]
    return pd.concat(frames, ignore_index=True)


@pytest.fixture(scope="module")
def values():
    return made()


def test_a_study_and_the_front_door_agree_on_power_agreement_and_the_set():
    found = tr.trial(VALUES)
    assert found.power.columns.tolist() == COLUMNS
    study = pd.read_parquet(RESULTS / "meta" / "toy" / "holdout" / "discriminative_power.parquet")
    both = study.merge(found.power, on=["metric", "k"])
    assert len(both) == len(found.power)
    for name in ("criterion", "criterion_se", "same_pairs"):
        np.testing.assert_allclose(both[f"{name}_x"], both[f"{name}_y"])
    assert both["in_best_set_x"].equals(both["in_best_set_y"].astype(both["in_best_set_x"].dtype))
    np.testing.assert_allclose(both["dp_x"], both["dp_y"], atol=0.08, err_msg="other sign flips")
    correlation = pd.read_parquet(RESULTS / "meta" / "toy" / "holdout" / "correlation.parquet")
    shared = correlation.merge(found.agreement, on=["metric_a", "k_a", "metric_b", "k_b"])
    assert len(shared) == len(found.agreement)
    np.testing.assert_allclose(shared["tau_x"], shared["tau_y"])
    inside = found.power[found.power["in_best_set"].eq(True) & (found.power["k"] != "all")]
    assert found.verdict["set"] == [f"{metric}@{k}" for metric, k in zip(inside["metric"], inside["k"], strict=True)]
    assert f"{found.verdict['metric']}@{found.verdict['k']}" in found.verdict["set"]
    assert 0 <= found.verdict["stability"] <= 1
    assert "Robustness was not measured" in found.notes[-1]


def test_form_and_order_of_the_table_are_no_matter(values, tmp_path):
    expected = tr.trial(values)
    values.to_csv(tmp_path / "values.csv.gz", index=False)
    values.to_csv(tmp_path / "values.tsv", index=False, sep="\t")
    shuffled = values.sample(frac=1, random_state=1).sort_values("model", kind="stable")
    for given in (tmp_path / "values.csv.gz", str(tmp_path / "values.tsv"), pa.table(values), shuffled):
        found = tr.trial(given)
        pd.testing.assert_frame_equal(found.power, expected.power)
        assert found.verdict == expected.verdict


def test_the_named_metric_separates_and_a_metric_of_chance_does_not(values):
    found = tr.trial(values)
    assert (found.verdict["metric"], found.verdict["k"], found.verdict["case"]) == ("ndcg", "10", "some")
    power = found.power.set_index("metric")
    assert power.at["ndcg", "criterion"] > power.at["own", "criterion"]
    assert power.at["own", "separated"] == 0, "a metric that Truerank does not know is judged all the same"
    assert found.verdict["whole"]["metric"] == "own"


@pytest.mark.slow
def test_less_is_better_turns_agreement_round_and_leaves_undefined_users_out(values):
    given = values.assign(**{"loss@10": 1 - values["ndcg@10"]})

    def tau(found):
        own = found.agreement.query("metric_a == 'ndcg' and metric_b == 'loss'")
        return own["tau"].item()

    assert tau(tr.trial(given)) == -1
    for said in ("loss", ["loss@10"]):
        assert tau(tr.trial(given, lower_is_better=said)) == 1
    undefined = given.assign(**{"loss@10": given["loss@10"].where(given.index != 0)})
    dropped, kept = (tr.trial(undefined, lower_is_better=said).power for said in (["loss"], []))
    assert dropped["criterion"].iloc[-1] != kept["criterion"].iloc[-1]
    known = tr.trial(values.assign(**{"mae@all": 1 - values["ndcg@10"]}))
    assert known.agreement.query("metric_a == 'ndcg' and metric_b == 'mae'")["tau"].item() == 1
    assert known.power.set_index("metric").at["mae", "in_best_set"] is None, "errors have no best set"


@pytest.mark.slow
def test_ranks_bring_robustness_and_metrics_that_they_do_not_give_are_named():
    about = {"relevant_from": 4, "train": TRAIN}
    found = tr.trial(VALUES, ranks=RANKS, **about)
    assert set(found.verdict["robust"]) == {"sparsity", "popularity"}
    assert any("do not reproduce the values of ndcg@1" in note for note in found.notes), "the fixture's is another ndcg"
    tables = {path.stem: pd.read_parquet(path) for path in RANKS.iterdir()}
    one = pd.concat(frame.assign(model=model) for model, frame in tables.items())
    first = next(iter(tables))
    frame = tables[first].assign(rank=1 + tables[first]["above"] + tables[first]["before"])
    mixed = tables | {first: frame[["user", "item", "rank", "rating", "candidates"]].sample(frac=1, random_state=1)}
    for ranks in (mixed, one):
        assert tr.trial(VALUES, ranks=ranks, **about).verdict == found.verdict
    without = tr.trial(VALUES, ranks=RANKS, relevant_from=4)
    assert set(without.verdict["robust"]) == {"sparsity"}
    assert any("needs the training rows" in note for note in without.notes)
    assert without.verdict["robust"]["sparsity"]["of"] == found.verdict["robust"]["sparsity"]["of"]


def test_a_trial_of_what_compare_returned_shows_and_saves_itself(tmp_path):
    test = {user: [f"i{user % 7}"] for user in range(40)}
    runs = {"good": test, "poor": {user: ["i0", "i1"] for user in range(40)}}
    found = tr.trial(tr.compare(runs, test, ["recall@1", "recall@2"]))
    assert found.verdict["case"] == "all"
    told = json.loads(found.to_json(tmp_path / "trial.json"))
    assert told["verdict"]["set"] == found.verdict["set"]
    assert list(told) == ["power", "agreement", "verdict"]
    page = found.to_html()
    assert "the choice does not matter here" in page
    assert "agreement with recall@2" in page
    assert "recall" in found.to_latex()
    assert found.to_csv(frame="agreement").startswith("metric_a,k_a")
    assert "criterion" in str(found)


def test_models_that_are_one_system_are_told(values):
    twice = pd.concat([values, values[values["model"] == "a"].assign(model="z")], ignore_index=True)
    found = tr.trial(twice)
    assert found.power["same_pairs"].eq(1).all()
    assert found.verdict["same_pairs"] == [["a", "z"]]
    same = tr.trial(twice[twice["model"].isin(["a", "z"])])
    assert same.verdict["case"] == "same"
    assert same.notes[0].startswith("The models give the same lists")


MISTAKES = {
    "a user missing in one model": (lambda f: f.iloc[1:], "1 of 60 users are not under every model, such as 'u0'"),
    "a user twice": (
        lambda f: pd.concat([f, f.iloc[:1]]),
        "row 181: found the user 'u0' a second time under the model",
    ),
    "one model": (lambda f: f[f["model"] == "a"], "has one model, 'a'"),
    "no row": (lambda f: f.iloc[:0], "has no rows"),
    "no metric": (lambda f: f[["model", "user"]], "expected a column per metric beside model and user"),
    "no @": (lambda f: f.rename(columns={"ndcg@10": "ndcg"}), "column 'ndcg': expected a metric and its cut-off"),
    "no cut-off": (lambda f: f.rename(columns={"ndcg@10": "ndcg@ten"}), "column 'ndcg@ten'"),
    "no model": (lambda f: f.drop(columns="model"), "expected 'model' among them"),
    "no user": (lambda f: f.assign(user=f["user"].where(f.index != 7)), "row 8: found no user"),
    "NaN alone": (lambda f: f[["model", "user"]].assign(**{"ndcg@10": np.nan}), "has no value but NaN"),
    "a word": (
        lambda f: f.assign(**{"ndcg@10": f["ndcg@10"].astype(object).where(f.index != 4, "good")}),
        "row 5: found 'good' in 'ndcg@10', expected a finite number",
    ),
    "infinity": (lambda f: f.assign(**{"ndcg@10": np.inf}), "row 1: found inf in 'ndcg@10'"),
    "no table": (lambda f: 3, "per_user is of type int"),
    "no file": (lambda f: "nowhere.csv", "nowhere.csv cannot be read"),
}


def test_mistakes_are_told_in_one_sentence(values):
    for name, (change, told) in MISTAKES.items():
        with pytest.raises(tr.UserError) as caught:
            tr.trial(change(values))
        assert told in str(caught.value), name
        assert "; " in str(caught.value), "what to do is said"


def test_mistakes_of_settings_are_told_too(values):
    table = pd.DataFrame({"user": ["u0"], "item": [1], "rank": [1]})
    for about, told in (
        ({"undefined": "skip"}, "undefined is 'skip'"),
        ({"lower_is_better": ["mae"]}, "lower_is_better has 'mae'"),
        ({"train": {"u0": [1]}}, "train is given without ranks"),
        ({"ranks": {"a": table}}, "ranks has no model 'b', 'c'"),
        ({"ranks": dict.fromkeys("abc", table)}, "ranks has no row of the user 'u1'"),
        ({"ranks": dict.fromkeys("abc", table.drop(columns="rank"))}, "rename or add 'above'"),
        ({"ranks": dict.fromkeys("abc", table.assign(user="v"))}, "has the user 'v', who is not in per_user"),
        ({"ranks": dict.fromkeys("ab", table) | {"c": table.assign(item=2)}}, "have other test items"),
    ):
        with pytest.raises(tr.UserError) as caught:
            tr.trial(values, **about)
        assert told in str(caught.value)


def test_the_command_says_and_writes_the_same(values, tmp_path, capsys):
    values.to_csv(tmp_path / "values.csv", index=False)
    words = [
        "trial",
        str(tmp_path / "values.csv"),
        "--json",
        str(tmp_path / "x.json"),
        "--html",
        str(tmp_path / "x.html"),
    ]
    assert main(words) == 0
    shown = capsys.readouterr().out
    found = tr.trial(values)
    assert found.notes[0] in shown
    assert shown.splitlines()[len(found.notes) + 1].startswith("ndcg@10")
    assert json.loads((tmp_path / "x.json").read_text())["verdict"]["metric"] == "ndcg"
    assert main(["trial", str(tmp_path / "none.csv")]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_the_example_in_the_docstring_gives_what_it_says():
    tested = doctest.testmod(sys.modules["truerank.api.trial"])
    assert tested.attempted > 3
    assert tested.failed == 0


def test_one_user_is_no_evidence():
    per_user = pd.DataFrame({"model": ["a", "b"], "user": 1, "ndcg@10": [0.2, 0.3], "recall@10": [0.0, 1.0]})
    notes = tr.trial(per_user).notes
    assert notes[0].startswith("One user says nothing of other users")
    assert not any("resamples" in note or "best set" in note for note in notes)
