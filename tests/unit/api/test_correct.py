"""The front door of corrections: estimates with intervals, bounds and a plain word on what they rest on."""

import json

import numpy as np
import pandas as pd
import pytest
import truerank as tr
from truerank.cli import main
from truerank.provenance import generator

COLUMNS = ["metric", "k", "estimate", "ci_low", "ci_high", "bound_low", "bound_high", "identified"]


@pytest.fixture(scope="module")
def ranks():
    """The issue's example: 12,000 items, 19 negatives, recall@10 .3, and tight intervals that are wrong."""
    rng = generator(1, "correct")
    exact = np.where(rng.random(3000) < 0.3, rng.integers(1, 9, 3000), rng.integers(1, 12_001, 3000))
    return 1 + rng.hypergeometric(exact - 1, 12_000 - exact, 19)


@pytest.mark.slow
def test_an_estimate_that_the_sample_cannot_carry_says_so(ranks):
    found = tr.correct(ranks, items=12_000, negatives=19, metrics=["recall@10", "auc"])
    assert found.estimates.columns.tolist() == COLUMNS
    recall, auc = found.estimates.itertuples(index=False)
    assert recall.ci_high < 0.3 < recall.bound_high
    assert recall.bound_low <= recall.ci_low <= recall.estimate <= recall.ci_high <= recall.bound_high
    assert (recall.identified, auc.identified) == (False, True)
    assert found.notes[0] == (
        "3,000 ranks, monotone_mle: it assumes that the probability of an exact rank never increases with the rank"
    )
    (sentence,) = (note for note in found.notes if "not identified" in note)
    assert sentence.startswith("recall@10 is not identified: the sample admits 0.0000 to 0.3")
    assert "depends on the assumption that the probability of an exact rank never increases" in sentence


def test_an_estimate_outside_its_bounds_is_not_identified():
    """All items share 5 million, so hardly any of the ranks among 100 that look good are."""
    ranks = generator(1, "outside").integers(1, 21, 300)
    found = tr.correct(ranks, items=5_000_000, negatives=100, metrics=["recall@10"], estimator="uncorrected")
    (row,) = found.estimates.itertuples(index=False)
    assert row.estimate == np.mean(ranks <= 10)
    assert row.bound_high < row.ci_low
    assert row.bound_high - row.bound_low < 4 * (row.ci_high - row.ci_low)
    assert not row.identified
    assert found.notes[-1].endswith(
        "this estimate is outside of that, so the sample speaks against the assumption that the metric within the "
        "sampled set is that on all items"
    )


def test_few_ranks_identify_nothing():
    found = tr.correct([1, 5, 9], items=1000, negatives=20, metrics=["recall@10", "auc"])
    assert not found.estimates["identified"].any()


@pytest.mark.slow
def test_users_with_several_ranks_are_resampled_whole(ranks):
    """Ten copies of each rank are no ten ranks: the interval is as wide as that of one each."""
    about = {"items": 12_000, "negatives": 19, "metrics": ["auc"], "estimator": "bv_01"}
    users = np.repeat(np.arange(300), 10)
    width = {}
    for name, given in {
        "one": pd.DataFrame({"rank": ranks[:300]}),
        "copies": pd.DataFrame({"user": users, "rank": np.repeat(ranks[:300], 10)}),
        "wrong": pd.DataFrame({"rank": np.repeat(ranks[:300], 10)}),
    }.items():
        (row,) = tr.correct(given, **about).estimates.itertuples(index=False)
        width[name] = row.ci_high - row.ci_low
    assert width["copies"] == pytest.approx(width["one"], rel=0.25)
    assert width["wrong"] < 0.6 * width["copies"]


def test_the_same_seed_gives_the_same_bytes(ranks):
    about = {"items": 500, "negatives": 19, "resamples": 30}
    one, two, other = (tr.correct(ranks[:300], seed=seed, **about).to_json() for seed in (3, 3, 4))
    assert one == two != other


def test_the_command_writes_what_it_prints(ranks, tmp_path, capsys):
    path = tmp_path / "ranks.csv"
    path.write_text("\n".join(map(str, ranks)))
    files = ["--json", str(tmp_path / "x.json"), "--html", str(tmp_path / "x.html")]
    asked = ["--metrics", "recall@10", "mrr", "--estimator", "bv_01"]
    assert main(["correct", str(path), "--items", "12000", "--negatives", "19", *asked, *files]) == 0
    told = capsys.readouterr().out
    first, second = json.loads((tmp_path / "x.json").read_text())["estimates"]
    assert list(first) == COLUMNS
    assert f"recall@10    {first['estimate']:.4f}  [{first['ci_low']:.4f}, " in told
    assert (second["metric"], second["k"]) == ("rr", "all")
    assert "mrr is rr@all" in told
    assert "not identified" in (tmp_path / "x.html").read_text()
