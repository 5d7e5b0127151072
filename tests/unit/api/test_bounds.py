"""The front door of bounds: ranks, printed tables, several systems, and one sentence for each mistake."""

import json

import numpy as np
import pandas as pd
import pytest
import truerank as tr
from truerank.cli import main
from truerank.provenance import generator
from truerank.sampling.adaptive import adaptive

from tests.support import for_each

TABLE = {"hr@1": ".21", "hr@5": ".52", "hr@10": ".684", "ndcg@10": ".41"}


@pytest.fixture(scope="module")
def ranks():
    """3,000 ranks among 99 of 12,000 items; recall@10 is .3."""
    rng = generator(1, "front")
    exact = np.where(rng.random(3000) < 0.3, rng.integers(1, 9, 3000), rng.integers(1, 12_001, 3000))
    return 1 + rng.hypergeometric(exact - 1, 12_000 - exact, 99)


@pytest.mark.slow
def test_ranks_admit_a_range_and_assumptions_narrow_it(ranks):
    found = tr.bounds(ranks, items=12_000, negatives=99, metrics=["recall@10", "AUC", "hr@10"])
    assert found.bounds.columns.tolist() == ["metric", "k", "low", "high"]
    assert found.bounds[["metric", "k"]].to_numpy().tolist() == [["recall", "10"], ["auc", "all"], ["hit", "10"]]
    recall, auc, hit = found.bounds[["low", "high"]].to_numpy()
    assert recall[0] == pytest.approx(0, abs=1e-4)
    assert 0.3 < recall[1] < 0.36
    np.testing.assert_allclose(hit, recall)
    assert auc[1] - auc[0] < 0.08
    assert any("3,000 ranks: bounds hold at 95%" in note for note in found.notes)
    assert any("every user is assumed to have 12,000 candidates" in note for note in found.notes)
    assert any("hr is hit" in note for note in found.notes)
    narrow = tr.bounds(ranks, items=12_000, negatives=99, assume="monotone")
    assert narrow.bounds["low"][0] > 0.01
    assert any("never increases" in note for note in narrow.notes)


def test_frames_files_and_arrays_are_the_same(ranks, tmp_path):
    frame = pd.DataFrame({"user": np.arange(3000), "rank": ranks})
    frame.to_csv(tmp_path / "ranks.csv", index=False)
    frame.to_parquet(tmp_path / "ranks.parquet")
    about = {"items": 12_000, "negatives": 99}
    expected = tr.bounds(ranks, **about).bounds
    for given in (frame, list(ranks), tmp_path / "ranks.csv", str(tmp_path / "ranks.parquet")):
        pd.testing.assert_frame_equal(tr.bounds(given, **about).bounds, expected)


@pytest.mark.slow
def test_users_with_several_ranks_are_the_units(ranks, tmp_path):
    """Each rank twice says no more than once: the bounds are wider than if 6,000 ranks were independent."""
    about = {"items": 12_000, "negatives": 99, "metrics": ["recall@300"]}
    users = np.tile(np.arange(3000), 2)
    twice = tr.bounds(np.tile(ranks, 2), users=users, **about)
    alone, wrong = tr.bounds(ranks, **about).bounds, tr.bounds(np.tile(ranks, 2), **about).bounds
    width = [float(np.ptp(frame[["low", "high"]].to_numpy())) for frame in (twice.bounds, alone, wrong)]
    assert width[0] > width[2]
    assert "6,000 ranks of 3,000 users, who are the units" in twice.notes[0]
    table = pd.DataFrame({"user": users, "rank": np.tile(ranks, 2)})
    table.to_csv(tmp_path / "ranks.csv", index=False)
    pd.testing.assert_frame_equal(tr.bounds(tmp_path / "ranks.csv", **about).bounds, twice.bounds)


def test_a_printed_table_is_enough():
    found = tr.bounds(TABLE, items=3706, negatives=100, users=6040)
    low, high = found.bounds[["low", "high"]].to_numpy()[0]
    assert low == pytest.approx(0, abs=1e-4)
    assert 0.21 < high < 0.31
    more = tr.bounds({"hr@10": ".684"}, items=3706, negatives=100, users=6040)
    assert more.bounds["high"][0] > high
    assert any("shared evenly by 4 figures" in note for note in found.notes)


@pytest.mark.slow
def test_a_table_of_a_sample_admits_the_truth():
    """Figures printed from 200 simulated samples of 400 users: 95 % of the bounds have recall@10 in them, or more."""
    rng, held = generator(2, "printed"), 0
    for _ in range(200):
        exact = np.where(rng.random(400) < 0.3, rng.integers(1, 9, 400), rng.integers(1, 301, 400))
        sampled = 1 + rng.hypergeometric(exact - 1, 300 - exact, 20)
        printed = {f"hr@{k}": f"{(sampled <= k).mean():.3f}" for k in (1, 5)}
        printed["ndcg@5"] = f"{((sampled <= 5) / np.log2(sampled + 1)).mean():.3f}"
        ((low, high),) = tr.bounds(printed, items=300, negatives=20, users=400).bounds[["low", "high"]].to_numpy()
        held += low <= 0.3 + 0.7 * 10 / 300 <= high
    assert held >= 190


def test_the_order_of_systems_is_determined_or_not():
    figures = {"hr@1": ".02", "hr@50": ".30"}, {"hr@1": ".50", "hr@50": ".95"}
    systems = dict(zip("AB", figures, strict=True)) | {"C": {"hr@1": ".51", "hr@50": ".95"}}
    found = tr.bounds(systems, items=1000, negatives=100, users=6000, metrics=["auc"])
    assert found.bounds.columns.tolist() == ["system", "metric", "k", "low", "high"]
    pairs = found.pairs.set_index(["system_a", "system_b"])
    assert pairs["determined"].to_dict() == {("A", "B"): True, ("A", "C"): True, ("B", "C"): False}
    ends = found.bounds.set_index("system")
    assert pairs.loc[("A", "B"), "high"] == pytest.approx(ends["high"]["A"] - ends["low"]["B"])
    assert pairs.loc[("A", "B"), "high"] < 0


def bounds(*more, items="3706", negatives="100"):
    return main(["bounds", *more, "--items", items, "--negatives", negatives, "--metric", "recall@10"])


def test_the_command_prints_and_writes_the_same(ranks, tmp_path, capsys):
    path = tmp_path / "ranks.csv"
    path.write_text("\n".join(map(str, ranks)))
    files = ["--json", str(tmp_path / "x.json"), "--html", str(tmp_path / "x.html")]
    assert bounds(str(path), *files, items="12000", negatives="99") == 0
    assert "recall 10" in capsys.readouterr().out
    (row,) = json.loads((tmp_path / "x.json").read_text())["bounds"]
    assert list(row) == ["metric", "k", "low", "high"]
    assert "<table" in (tmp_path / "x.html").read_text()
    given = [f"{name}={value}" for name, value in TABLE.items()]
    assert bounds("--users", "6040", "--given", *given) == 0
    assert bounds("--users", "6040", "--system", "A", *given, "--system", "B", "hr@10=.5") == 0
    assert "determined" in capsys.readouterr().out


@for_each(
    ("arguments", "sentence"),
    [
        (["--users", "6040", "--given", "hr@5=.7", "hr@10=.684"], "hr@5 is .7 and hr@10 .684, expected no more at the"),
        (["--users", "6040", "--given", "hr@10=1.2"], "hr@10 is 1.2, expected 0 to 1"),
        (["--users", "6040", "--given", "hr@10=-.2"], "hr@10 is -.2, expected 0 to 1"),
        (["--users", "6040", "--given", "hr@1=.2", "ndcg@10=.9", "hr@10=.5"], "no ranks among 101 items have hr@1=.2"),
        (["--users", "10", "--given", "hr@10=.55"], "hr@10 is .55, and no share of 10 users rounds to it"),
        (["--given", "hr@10=.684"], "users is not given, expected the number of users behind printed figures"),
        (["--users", "0", "--given", "hr@10=.684"], "users is 0, expected a whole number from 1"),
        (["--users", "9", "--given", "hr@10"], "the figure 'hr@10' cannot be read, expected one such as hr@10=.684"),
        (["--users", "9", "--given", "hr@10=x"], "hr@10 is 'x', expected a number such as .684"),
        (["--users", "9", "--given", "rh@10=.1"], "unknown metric 'rh'"),
        (["--users", "9", "--system", "A", "hr@10=.1"], "--system expects two systems or more"),
        (["--users", "9", "--system", "A", "--system", "B", "hr@10=.1"], "system 'A' has no figures"),
        ([], "give one of: a file of ranks, --given with printed figures"),
        (["no.csv"], "no.csv cannot be read: no such file"),
        (["--confidence", "1", "no.csv"], "confidence is 1, expected more than 0"),
    ],
)
def test_mistakes_are_told_in_one_sentence(arguments, sentence, capsys):
    assert bounds(*arguments) == 1
    told = capsys.readouterr()
    assert sentence in told.err
    assert told.err.count("\n") == 1


@for_each(
    ("ranks", "more", "sentence"),
    [
        ([1, 2, 102], {}, "rank number 3 is 102, expected a whole number from 1 to 101"),
        ([1, 0.5], {}, "rank number 2 is 0.5"),
        ([1, "x"], {}, "ranks that are not numbers"),
        ([], {}, "has no ranks"),
        ([1], {"items": 100}, "items is 100 and negatives 100, expected more items than negatives"),
        ([1], {"assume": "smoth"}, "assume is 'smoth', expected one of: monotone, smooth"),
        ([1, 2], {"users": [1]}, "users has 1 values, and there are 2 ranks"),
        (pd.DataFrame({"place": [1]}), {}, "has the columns place, expected rank"),
        (np.full(5000, 51), {"items": 10**6}, "no distribution of ranks among 1,000,000 items explains the sample"),
    ],
)
def test_mistakes_in_python_are_told_in_one_sentence(ranks, more, sentence):
    with pytest.raises(tr.UserError, match=sentence):
        tr.bounds(ranks, **{"items": 3706, "negatives": 100} | more)


def test_adaptive_ranks_have_the_sizes_of_their_sets(tmp_path):
    rng = generator(6, "sets")
    exact = np.minimum(1 + (1000 * rng.random(1500) ** 4).astype(int), 1000)
    sample = adaptive(exact[None], np.full(1500, 1000), rng, start=20, limit=80, repeats=1)
    frame = pd.DataFrame({"negatives": sample.negatives[0, 0], "rank": sample.rank[0, 0]})
    about = {"items": 1000, "metrics": ["recall@10"]}
    found = tr.bounds(frame, negatives=[19, 39, 79], **about).bounds
    assert found["low"][0] <= (exact <= 10).mean() <= found["high"][0]
    few = 1 + rng.hypergeometric(exact - 1, 1000 - exact, 19)
    assert found["high"][0] < tr.bounds(few, negatives=19, **about).bounds["high"][0]
    frame.to_csv(tmp_path / "ranks.csv", index=False)
    words = [str(tmp_path / "ranks.csv"), "--json", str(tmp_path / "x.json")]
    assert bounds(*words, items="1000", negatives="19,39,79") == 0
    (row,) = json.loads((tmp_path / "x.json").read_text())["bounds"]
    assert row["high"] == pytest.approx(found["high"][0])
    for wrong, sentence in (
        ({"negatives": [79, 19]}, "expected increasing sizes"),
        ({"negatives": [19, 79]}, "which adaptive sets of 19, 79 do not end with"),
    ):
        with pytest.raises(tr.UserError, match=sentence):
            tr.bounds(frame, **about, **wrong)
    with pytest.raises(tr.UserError, match="have no column negatives"):
        tr.bounds(frame["rank"].to_numpy(), negatives=[19, 39, 79], **about)


def test_ranks_among_popular_items_say_less(tmp_path):
    """Popular items say little of the others: bounds are wider than those of as many uniform negatives."""
    rng = generator(7, "popular")
    popularity = np.sort(rng.pareto(1, 500) + 0.1)[::-1]
    order = rng.permuted(np.tile(np.arange(500), (800, 1)), axis=1)
    rank = np.minimum(1 + (500 * rng.random(800) ** 3).astype(int), 500)
    above = [popularity[items[: r - 1]].sum() for items, r in zip(order, rank, strict=True)]
    own = popularity[order[np.arange(800), rank - 1]]
    sampled = 1 + rng.binomial(20, np.array(above) / (popularity.sum() - own))
    about = {"items": 500, "negatives": 20, "metrics": ["recall@50"], "replace": True}
    found = tr.bounds(sampled, popularity=popularity, **about).bounds
    assert found["low"][0] <= (rank <= 50).mean() <= found["high"][0]
    plain = tr.bounds(1 + rng.binomial(20, (rank - 1) / 499), **about).bounds
    assert np.ptp(found[["low", "high"]].to_numpy()) > np.ptp(plain[["low", "high"]].to_numpy())
    np.savetxt(tmp_path / "counts.csv", popularity)
    path = tr.bounds(sampled, popularity=tmp_path / "counts.csv", **about).bounds
    pd.testing.assert_frame_equal(path, found)
    once = [np.argsort(rng.standard_exponential(500) / np.where(items == items[r - 1], 1e-300, popularity[items]))
            for items, r in zip(order, rank, strict=True)]  # fmt: skip
    sampled = 1 + np.array([(drawn[:20] < r - 1).sum() for drawn, r in zip(once, rank, strict=True)])
    without = tr.bounds(sampled, popularity=popularity, **about | {"replace": False}).bounds
    assert without["low"][0] <= (rank <= 50).mean() <= without["high"][0]
    for wrong, sentence in (
        ({"popularity": popularity[:9]}, "popularity has 9 values, expected one for each item, 500 at least"),
        ({"popularity": -popularity}, "popularity has negative"),
    ):
        with pytest.raises(tr.UserError, match=sentence):
            tr.bounds(sampled, **about | wrong)
