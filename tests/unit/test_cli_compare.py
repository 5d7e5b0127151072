"""``truerank compare``: models on the same users, paired by id, and on users of their own."""

import io
import json
import re
import sys

import numpy as np
import pytest
from scipy import stats
from truerank.cli import main
from truerank.core.comparing import PAIRS, SUMMARY, Differences, Scores, compare_paired
from truerank.provenance import generator

from tests.support import for_each
from tests.unit.test_cli import assert_one_sentence


@pytest.fixture
def files(tmp_path):
    """Values of 60 users under three models, and their paths; the users of each file are in another order."""
    rng = generator(1, "files of values")
    values = np.where(rng.random((60, 3)) < 0.5, rng.random((60, 3)), 0) * [1, 0.9, 0.2]
    paths = []
    for name, own in zip(["one", "other", "third"], values.T, strict=True):
        paths.append(str(tmp_path / f"{name}.csv"))
        lines = [f"u{user:02},{own[user]!r}\n" for user in rng.permutation(60)]
        (tmp_path / f"{name}.csv").write_text(
            "user,ndcg\n" + "".join(lines).replace("np.float64(", "").replace(")", "")
        )
    return paths, values


def compared(tmp_path, *arguments):
    path = tmp_path / "compared.json"
    assert main(["compare", *arguments, "--json", str(path)]) == 0
    return json.loads(path.read_text())


def test_users_are_paired_whatever_their_order(files, tmp_path):
    """Effect, adjusted p and what was detectable by their formulas; p near that of the paired t-test."""
    paths, values = files
    found = compared(tmp_path, *paths)
    assert [row["model"] for row in found["summary"]] == ["one", "other", "third"]
    assert all(list(row) == SUMMARY for row in found["summary"])
    assert [row["value"] for row in found["summary"]] == pytest.approx(values.mean(axis=0))
    assert [(row["users"], row["undefined"]) for row in found["summary"]] == [(60, 0)] * 3
    for row, (a, b) in zip(found["pairs"], [(0, 1), (0, 2), (1, 2)], strict=True):
        assert list(row) == PAIRS
        assert row["metric"] is row["k"] is None
        difference = values[:, a] - values[:, b]
        spread = difference.std(ddof=1)
        assert row["difference"] == pytest.approx(difference.mean())
        assert row["ci_low"] < row["difference"] < row["ci_high"]
        assert row["effect_size"] == pytest.approx(difference.mean() / spread)
        assert row["detectable"] == pytest.approx((1.959964 + 0.841621) * spread / np.sqrt(60))
        assert row["p_value"] == pytest.approx(stats.ttest_rel(values[:, a], values[:, b]).pvalue, abs=0.02)
    p = [row["p_value"] for row in found["pairs"]]
    assert [row["p_fdr"] for row in found["pairs"]] == pytest.approx(stats.false_discovery_control(p))
    assert min(row["p_holm"] for row in found["pairs"]) == pytest.approx(3 * min(p))


def test_detectable_is_found_with_the_power_that_it_names():
    rng = generator(1, "power")
    noise = rng.normal(0, 0.1, (400, 50))
    shift = (1.959964 + 0.841621) * 0.1 / np.sqrt(50)
    assert (stats.ttest_1samp(noise + shift, 0, axis=1).pvalue < 0.05).mean() == pytest.approx(0.8, abs=0.05)


def test_the_table_is_aligned_and_says_what_was_done(files, capsys):
    assert main(["compare", "long name=" + files[0][0], *files[0][1:]]) == 0
    method, head, *rows, legend = capsys.readouterr().out.splitlines()
    assert method.startswith("60 users, paired by user id: sign-flip test (100,000 draws, seed 1), 95% interval")
    assert head.split() == ["pair", "difference", "interval", "effect", "p", "Holm", "FDR", "detectable"]
    assert rows[0].startswith("long name - other ")
    assert {len(row) for row in rows} == {len(head)}
    assert legend.startswith("effect: mean difference / standard deviation of differences; detectable: ")
    assert "80% power at p < 0.05 (normal approximation)" in legend


def test_a_seed_decides_the_sign_flips(files, tmp_path):
    one, again, other = (compared(tmp_path, *files[0], "--seed", seed) for seed in "112")
    assert one == again
    assert one["summary"] == other["summary"]
    assert [row["p_value"] for row in one["pairs"]] != [row["p_value"] for row in other["pairs"]]


def test_models_that_are_equal_do_not_differ(files, tmp_path):
    (pair,) = compared(tmp_path, files[0][0], f"again={files[0][0]}")["pairs"]
    assert (pair["difference"], pair["p_value"], pair["effect_size"], pair["detectable"]) == (0, 1, None, None)
    assert pair["ci_low"] < 0 < pair["ci_high"], "60 users do not show that no user differs"
    (tmp_path / "large.csv").write_text("ann,17.5\nbob,3\n")
    (pair,) = compared(tmp_path, str(tmp_path / "large.csv"), f"again={tmp_path / 'large.csv'}")["pairs"]
    assert pair["ci_low"] is pair["ci_high"] is None, "values without bounds and without spread"


def test_users_are_in_the_column_of_that_name(tmp_path):
    (tmp_path / "a.csv").write_text(",user,value\n0,ann,0.4\n1,bob,0.5\n")
    (tmp_path / "b.csv").write_text('"bob";"0.1"\n"ann";"0.2"\n')
    (pair,) = compared(tmp_path, str(tmp_path / "a.csv"), str(tmp_path / "b.csv"))["pairs"]
    assert pair["difference"] == pytest.approx(0.3)


def test_standard_input_is_a_model(files, tmp_path, monkeypatch):
    with open(files[0][0], "rb") as content:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.read())))
    (pair,) = compared(tmp_path, "-", files[0][1])["pairs"]
    assert (pair["model_a"], pair["model_b"]) == ("standard input", "other")


@for_each(
    ("contents", "sentence"),
    [
        (["a,1\nb,0\n"], "0.csv is the only file, expected two or more"),
        (["a,1\nb,0\n", "a,1\nb,nan\n"], "1.csv, line 2: the value is 'nan', expected a number from -1,000,000,000"),
        (["a,1\nb,0\n", "a,1\nb,x\n"], "1.csv, line 2: the value is 'x'"),
        (["a,1\nb,0\n", "a,1\nb,1e300\n"], "1.csv, line 2: the value is '1e300'"),
        (["a,1\nb,0\n", "a,1\nb\n"], "1.csv, line 2 has one column, expected two, user and value"),
        (["1\n0\n", "1\n0\n"], "if every file has users of its own, give --independent"),
        (["a,1\nb,0\n", "a,1\n"], "1.csv has 1 value, expected those of two users at least"),
        (["a,1\nb,0\n", ""], "1.csv has no values; give a text file with one value per line"),
        (["a,1\nb,0\n", "a,1\nb,0\na,1\n"], "1.csv, line 3: the user 'a' is in line 1 too, expected one line for each"),
        (["a,1\nb,0\n", "a;1\n;0\n"], "1.csv, line 2 has no user"),
        (["a,1\nb,0\n", "a,1\nb,c,0\n"], "1.csv, line 2 has 3 columns, expected 2 as before"),
        (["a,1\nb,0\n", "c,1\nd,0\n"], "1.csv have no user in common, expected the same users in each"),
        (["a,1\nb,0\n", "a,1\nc,0\n"], "2 of 3 users are not in all files, such as 'b', who is in "),
        (["a,1\nb,0\n", "a,1\nb,0\nc,0\n"], "leave them out of all, or give them the value 0 where they are missing"),
        (["a,1\nb,0\n", "a;0,4\nb;0,5\n"], "1.csv, line 1: the value is '0,4', expected a number without a decimal"),
    ],
)
def test_comparisons_that_make_no_sense_are_refused(tmp_path, capsys, monkeypatch, contents, sentence):
    monkeypatch.chdir(tmp_path)
    for number, content in enumerate(contents):
        (tmp_path / f"{number}.csv").write_text(content)
    assert main(["compare", *(f"{number}.csv" for number in range(len(contents)))]) == 1
    assert_one_sentence(capsys, sentence)


def test_names_have_to_differ(files, capsys):
    for arguments, sentence in (
        ([files[0][0], files[0][0]], "both have the name 'one', expected a name for each model"),
        ([files[0][0], "=x.csv"], "'=x.csv' cannot be read, expected FILE or NAME=FILE"),
        ([files[0][0], "x="], "'x=' cannot be read, expected FILE or NAME=FILE"),
        ([files[0][0], "x=nowhere.csv"], "nowhere.csv cannot be read: no such file"),
    ):
        assert main(["compare", *arguments]) == 1
        assert_one_sentence(capsys, sentence)


def test_an_output_that_cannot_be_written_is_one_sentence(files, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    for path, reason in (
        (tmp_path, "it is not a file"),
        ("/dev/null", "it is not a file"),
        (tmp_path / "file" / "x.json", "cannot be written: "),
    ):
        assert main(["compare", *files[0], "--json", str(path)]) == 1
        assert_one_sentence(capsys, reason)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "one.csv", "other.csv", "third.csv"]


def test_undefined_users_are_zero_or_left_out():
    values = np.array([[0.5, 0.1], [np.nan, 0.2], [0.4, 0.4], [0.9, 0.2]])
    for policy, differences in (("zero", [0.4, -0.2, 0, 0.7]), ("drop", [0.4, 0, 0.7])):
        scores = Scores(values, "ndcg", "10", 0, 1, policy)
        found = compare_paired(["a", "b"], [scores], generator(1, "undefined"), draws=100)
        assert found.pairs.difference.item() == pytest.approx(np.mean(differences))
        assert found.pairs.effect_size.item() == pytest.approx(np.mean(differences) / np.std(differences, ddof=1))
        assert found.summary.undefined.tolist() == [1, 0]
        assert found.pairs[["metric", "k"]].to_numpy().tolist() == [["ndcg", "10"]]


def hits_of_one_item(rng, n):
    """Recall@10 of one held-out item: two models that mostly find the same users' items."""
    ease, luck = rng.beta(0.5, 3, n), rng.random(n)
    return (luck < ease).astype(float), (luck < 1.17 * ease).astype(float)


def recall_of_few(rng, n):
    ease, relevant = rng.beta(0.5, 3, n), 1 + rng.poisson(3, n)
    return rng.binomial(relevant, 0.5 * ease) / relevant, rng.binomial(relevant, np.minimum(0.65 * ease, 1)) / relevant


def ndcg_of_one_item(rng, n):
    """NDCG@10 of ranks that one model in ten users has anew."""
    rank = rng.geometric(0.02, n)
    ranks = rank, np.where(rng.random(n) < 0.9, rank, rng.geometric(0.05, n))
    return [np.where(rank <= 10, 1 / np.log2(rank + 1), 0) for rank in ranks]


def ndcg_rarely_above_zero(rng, n):
    found = rng.random(n)
    one = np.where(found < 0.05, rng.beta(1, 6, n), 0)
    return one, np.where((found >= 0.05) & (found < 0.06), rng.beta(1, 6, n), one)


@pytest.mark.slow
@pytest.mark.parametrize("population", [hits_of_one_item, recall_of_few, ndcg_of_one_item, ndcg_rarely_above_zero])
def test_intervals_of_differences_hold_as_often_as_they_say(population):
    """95 % of 1,000 samples, within three standard errors of that share; docs/meta.md has the figures of more."""
    rng = generator(1, "coverage", population.__name__)
    users = np.column_stack(population(rng, 200_000))
    truth = (users[:, 0] - users[:, 1]).mean()
    for n_users in (30, 300, 3000):
        drawn = users[rng.integers(0, len(users), (1000, n_users))]
        found = [Differences.of(Scores(own)).told(1, 0.95) for own in drawn]
        share = np.mean([pair["ci_low"] <= truth <= pair["ci_high"] for pair in found])
        assert share > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 1000), n_users


@pytest.fixture
def samples(tmp_path):
    """Hits of 100 users each, 60 of one model and 40 of another, and values of 50 users."""
    rng = np.random.default_rng(3)
    values = {"one": np.arange(100) < 60, "other": np.arange(100) < 40, "third": rng.random(50)}
    paths = []
    for name, value in values.items():
        paths.append(str(tmp_path / f"{name}.csv"))
        np.savetxt(paths[-1], value, header="value", comments="", fmt="%.17g")
    return paths, list(values.values())


def test_two_samples_of_users_are_compared(samples, capsys):
    """z = 0.2 / sqrt(2 * 0.25 / 100), Welch's t as scipy has it, and scipy's exact intervals joined."""
    (one, other, _), (hits_one, hits_other, _) = samples
    assert main(["compare", "--independent", one, other]) == 0
    method, head, row, _ = capsys.readouterr().out.splitlines()
    ends_one, ends_other = (stats.binomtest(hits, 100).proportion_ci(method="exact") for hits in (60, 40))
    low = 0.2 - np.hypot(0.6 - ends_one.low, ends_other.high - 0.4)
    high = 0.2 + np.hypot(ends_one.high - 0.6, 0.4 - ends_other.low)
    t = f"{stats.ttest_ind(hits_one, hits_other, equal_var=False).pvalue:.3g}"
    z = f"{2 * stats.norm.sf(0.2 / np.sqrt(2 * 0.25 / 100)):.3g}"
    lower = f"{stats.norm.cdf(0.2 / np.sqrt(2 * 0.25 / 100)):.3g}"
    spread = np.sqrt(0.24 * 100 / 99)
    shown = (1.959964 + 0.841621) * spread * np.sqrt(2 / 100)
    assert method.startswith("100 and 100 users, taken as independent samples: Welch's t-test, 95% interval")
    assert head.split()[-1] == "z-test"
    expected = ["one - other", "0.2000", f"[{low:.4f}, {high:.4f}]", f"{0.2 / spread:.3f}", t, t, t, f"{shown:.4f}"]
    expected += [lower, z]
    assert re.split(r"\s{2,}", row) == expected


def test_three_samples_make_three_comparisons(samples, tmp_path, capsys):
    paths, (hits_one, _, values) = samples
    pairs = compared(tmp_path, "--independent", *paths, "--confidence", "0.9")["pairs"]
    welch = stats.ttest_ind(hits_one, values, equal_var=False)
    assert pairs[1]["p_value"] == pytest.approx(welch.pvalue)
    assert (pairs[1]["ci_low"], pairs[1]["ci_high"]) == pytest.approx(tuple(welch.confidence_interval(0.9)))
    assert pairs[0]["p_holm"] == pytest.approx(3 * pairs[0]["p_value"])
    assert "z-test" not in capsys.readouterr().out, "values that are no hits have no z-test"


@pytest.mark.parametrize(
    ("one", "other", "told", "p"),
    [
        ("1\n1\n", "0\n0\n", "1.0000  [-0.1906, 1.0000]", "0.333"),
        ("0\n0\n", "0\n0\n", "0.0000  [-0.8419, 0.8419]", "1"),
        ("0.5\n0.5\n", "0.5\n0.5\n", "0.0000  [-0.6893, 0.6893]", "1"),
        ("0.3\n" * 3, "0.4\n" * 3, "-0.1000  [-0.7073, 0.6043]", "0.1"),
        ("1\n" * 2000, "0\n" * 2000, "1.0000  [0.9974, 1.0000]", "<1e-300"),
    ],
)
def test_values_without_spread_get_an_interval_and_a_chance_above_zero(tmp_path, capsys, one, other, told, p):
    """Of 2 and 2 users there are 6 ways to share, of 3 and 3 users 20: no p-value is below 2 of them."""
    (tmp_path / "one").write_text(one)
    (tmp_path / "other").write_text(other)
    assert main(["compare", "--independent", str(tmp_path / "one"), str(tmp_path / "other")]) == 0
    row = capsys.readouterr().out.splitlines()[2]
    assert re.split(r"\s{2,}", row)[1:5] == [*told.split("  "), "-", p]


@for_each(
    ("contents", "sentence"),
    [
        (["1\n0\n"], "0.csv is the only file, expected two or more"),
        (["1\n0\n", "1\nnan\n"], "1.csv, line 2: the value is 'nan', expected a number from -1,000,000,000"),
        (["1\n0\n", "1\n"], "1.csv has 1 value, expected those of two users at least"),
        (["3\n4\n", "7\n7\n"], "1.csv has the value 7 for all 2 users, expected values that differ"),
        (["3\n4\n", "0\n0\n"], "1.csv has the value 0 for all 2 users, expected values that differ"),
        (["1\n0\n", "0,4\n0,5\n"], "1.csv, line 1: the value is '0,4', expected a number without a decimal comma"),
    ],
)
def test_samples_that_make_no_sense_are_refused(tmp_path, capsys, contents, sentence):
    paths = [tmp_path / f"{number}.csv" for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_text(content)
    assert main(["compare", "--independent", *map(str, paths)]) == 1
    assert_one_sentence(capsys, sentence)
