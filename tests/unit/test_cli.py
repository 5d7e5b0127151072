"""The command line: figures that need no computer, and mistakes told in one sentence."""

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from truerank.cli import main
from truerank.estimators.mle import Mle
from truerank.provenance import generator
from truerank.sampling.uniform import uniform

from tests.support import for_each


@pytest.fixture
def ranks(tmp_path):
    """4,000 ranks among 50 negatives, and the share of exact ranks within 10 of 400."""
    rng = generator(1, "cli")
    exact = np.minimum((400 * rng.random(4000) ** 3).astype(int) + 1, 400)
    sample = uniform(exact[None], np.full(4000, 400), rng, negatives=50, repeats=1)
    path = tmp_path / "ranks.csv"
    path.write_text("rank\n" + "\n".join(map(str, sample.rank.ravel())) + "\n")
    return path, (exact <= 10).mean()


def correct(path, *more, items="400", negatives="50"):
    return main(["correct", str(path), "--items", items, "--negatives", negatives, *more])


@pytest.mark.slow
@pytest.mark.parametrize("estimator", ["mn_mes", "mle", "bv_001", "monotone_mle"])
def test_estimates_come_near_and_carry_an_interval(ranks, capsys, estimator):
    path, exact = ranks
    asked = ["--metric", "recall@10", "--metric", "auc", "--resamples", "50"]
    assert correct(path, "--estimator", estimator, *asked) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"4,000 ranks, {estimator}: it assumes that ")
    value, low, high, least, most = map(float, re.findall(r"\d\.\d+", told[1].partition(" ")[2]))
    assert value == pytest.approx(exact, rel=0.2)
    assert low <= value <= high
    assert least <= exact <= most
    assert told[1].endswith("identified: no")
    assert told[2].endswith("identified: yes")
    assert told[3].startswith("95% intervals are bootstrap intervals")
    assert told[4].startswith("recall@10 is not identified: the sample admits 0.")
    assert told[2].startswith("auc ")


def test_the_same_seed_gives_the_same_line(ranks, capsys):
    for _ in range(2):
        correct(ranks[0], "--metric", "ndcg@10", "--estimator", "bv_01")
    one, two = np.array_split(capsys.readouterr().out.splitlines(), 2)
    assert list(one) == list(two)


def test_plan_gives_the_papers_figure(capsys):
    assert main(["plan", "--margin", "0.01"]) == 0
    assert "9,604 users: recall of 1 model(s)" in capsys.readouterr().out
    assert main(["plan", "--margin", "0.01", "--confidence", "0.95", "--models", "5"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


@for_each(
    ("content", "arguments", "sentence"),
    [
        ("1\n52\n", ["--metric", "recall@10"], "line 2: the rank is '52', expected a whole number from 1 to 51"),
        ("1\n0\n", ["--metric", "recall@10"], "line 2: the rank is '0'"),
        ("1\n2.5\n", ["--metric", "recall@10"], "line 2: the rank is '2.5'"),
        ("", ["--metric", "recall@10"], "has no ranks"),
        ("rank\n", ["--metric", "recall@10"], "has no ranks"),
        (None, ["--metric", "recall@10"], "cannot be read: no such file"),
        ("1\n", ["--metric", "recal@10"], "unknown metric 'recal', did you mean 'recall'?"),
        ("1\n", ["--metric", "recall"], "metric 'recall' cannot be read, expected recall@10"),
        ("1\n", ["--metric", "auc@5"], "metric 'auc@5' cannot be read, expected auc"),
        ("1\n", ["--metric", "recall@10", "--estimator", "mn_mess"], "did you mean 'mn_mes'?"),
        ("1\n", ["--metric", "recall@10", "--estimator", "adaptive_mle"], "unknown estimator 'adaptive_mle'"),
        ("1\n", ["--metric", "recall@10", "--confidence", "1.5"], "confidence is 1.5, expected more than 0"),
        ("-1\n2\n", ["--metric", "recall@10"], "line 1: the rank is '-1', expected a whole number from 1 to 51"),
        ("3.5\n2\n", ["--metric", "recall@10"], "line 1: the rank is '3.5'"),
        ("1,5\n2\n", ["--metric", "recall@10"], "line 1: the rank is '1,5', expected a number without a decimal comma"),
        ("1\n²\n", ["--metric", "recall@10"], "line 2: the rank is '²'"),
        ("9" * 5000, ["--metric", "recall@10"], "line 1: the rank is '99999"),
        ("1\n", ["--metric", "recall@²"], "metric 'recall@²' cannot be read, expected recall@10"),
        ("1\n", ["--metric", "recall@" + "9" * 5000], "cannot be read, expected recall@10"),
        (
            "1\n",
            ["--metric", "auc", "--resamples", "9" * 400],
            "expected a whole number from 2 to 1,000,000",
        ),
    ],
)
def test_mistakes_are_told_in_one_sentence(tmp_path, capsys, content, arguments, sentence):
    path = tmp_path / "ranks.csv"
    path.unlink(missing_ok=True)
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert correct(path, *arguments) == 1
    assert_one_sentence(capsys, sentence)


def assert_one_sentence(capsys, sentence):
    told = capsys.readouterr()
    assert not told.out
    assert sentence in told.err
    assert told.err.count("\n") == 1
    assert len(told.err) < 400


@pytest.mark.parametrize("first", ["", "\ufeff", "rank\n", "\ufeffuser,rank\n"])
def test_no_rank_is_taken_for_a_heading(tmp_path, capsys, first):
    (tmp_path / "ranks.csv").write_text(f"{first}1\n2\n3\n", encoding="utf-8")
    assert correct(tmp_path / "ranks.csv", "--metric", "auc") == 0
    assert capsys.readouterr().out.startswith("3 ranks, ")


def test_files_that_are_no_text(tmp_path, capsys, monkeypatch):
    assert correct(tmp_path, "--metric", "auc") == 1
    assert_one_sentence(capsys, "cannot be read: is a directory; give a text file with one rank per line")
    path = tmp_path / "ranks.csv"
    path.write_bytes("1\n2\n".encode("utf-16"))
    assert correct(path, "--metric", "auc") == 1
    assert_one_sentence(capsys, "cannot be read: it is not UTF-8 text")

    def refuse(*arguments, **keywords):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    assert correct(path, "--metric", "auc") == 1
    assert_one_sentence(capsys, "cannot be read: permission denied")


def test_a_cutoff_with_leading_zeros_is_that_cutoff(ranks, capsys):
    assert correct(ranks[0], "--metric", "recall@007", "--metric", "recall@7", "--estimator", "bv_01") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:3]] == ["recall@7", "95%"]


@pytest.mark.slow
@for_each("estimator", ["uncorrected", "rank_estimate", "mle", "mn_mes"])
@for_each(("content", "most"), [("1\n", 1.0), ("1\n1\n", 0.9), ("1\n" * 40, 0.1), ("1\n2\n" * 20, 0.6)])
def test_no_interval_is_without_width(tmp_path, capsys, estimator, content, most):
    """Of 40 equal ranks Clopper and Pearson's interval is [0.912, 1]; one rank tells next to nothing."""
    (tmp_path / "ranks.csv").write_text(content)
    assert correct(tmp_path / "ranks.csv", "--metric", "recall@10", "--estimator", estimator) == 0
    value, low, high, *_ = map(float, re.findall(r"-?\d\.\d+", capsys.readouterr().out.splitlines()[1]))
    assert low <= value <= high
    assert 0.05 < high - low <= most


@pytest.mark.parametrize("estimator", ["uncorrected", "mle", "mn_mes"])
def test_hits_that_were_not_seen_are_possible(tmp_path, capsys, estimator):
    """None of 50 ranks is among the first ten: the chance of one may still be 7 %, by Clopper and Pearson."""
    (tmp_path / "ranks.csv").write_text("".join(f"{rank}\n" for rank in [20, 30, 40, 45, 50] * 10))
    assert correct(tmp_path / "ranks.csv", "--metric", "recall@10", "--estimator", estimator) == 0
    value, low, high, *_ = map(float, re.findall(r"\d\.\d+", capsys.readouterr().out.splitlines()[1]))
    assert value == low == 0
    assert high == pytest.approx(0.071, abs=0.02)


def test_what_needs_much_says_so_before_it_starts(ranks, capsys, monkeypatch):
    monkeypatch.setattr("truerank.api.correct_cost.free_memory", lambda: (200 * 10**9, "on this machine"))

    def start(self, problem):
        assert "50,000 items with 50 negatives, 2,000 resamples and the estimator mle need" in capsys.readouterr().err
        raise MemoryError

    monkeypatch.setattr(Mle, "fit", start)
    more = ["--metric", "auc", "--estimator", "mle", "--resamples", "2000"]
    assert correct(ranks[0], *more, items="50000") == 1
    assert_one_sentence(capsys, "50,000 items with negatives and resamples as they are need more memory")


@pytest.mark.parametrize(
    ("estimator", "free", "sentence"),
    [
        ("mn_mes", 0.5, "need about 0.7 GB of memory and 9 s, and 0.5 GB are free in its SLURM job; "),
        ("mn_mes", 0.5, "; lower resamples to 100, or take the estimator mn_mle, which needs 0.4 GB, or find"),
        ("uncorrected", 0.1, "need about 0.1 GB of memory and 1 s, and 0.1 GB are free in its SLURM job; find a"),
    ],
)
def test_what_needs_more_memory_than_there_is_gets_refused(tmp_path, capsys, monkeypatch, estimator, free, sentence):
    monkeypatch.setattr("truerank.api.correct_cost.free_memory", lambda: (free * 10**9, "in its SLURM job"))
    (tmp_path / "ranks.csv").write_text("1\n2\n")
    assert correct(tmp_path / "ranks.csv", "--metric", "auc", "--estimator", estimator, items="50000") == 1
    assert_one_sentence(capsys, sentence)


@for_each("estimator", ["cls", "bv_01", "mn_mes", "monotone_mle"])
def test_millions_of_items_need_no_more_than_thousands(tmp_path, capsys, monkeypatch, estimator):
    monkeypatch.setattr("truerank.api.correct_cost.free_memory", lambda: (5 * 10**8, "on this machine"))
    (tmp_path / "ranks.csv").write_text("1\n2\n5\n")
    more = ["--metric", "recall@10", "--estimator", estimator, "--resamples", "20"]
    assert correct(tmp_path / "ranks.csv", *more, items="50000000") == 0
    told = capsys.readouterr()
    assert not told.err
    assert "identified: no" in told.out


def test_what_needs_little_says_nothing(ranks, capsys):
    assert correct(ranks[0], "--metric", "auc", "--estimator", "bv_01") == 0
    assert not capsys.readouterr().err


def test_more_than_fits_is_refused(tmp_path, capsys, monkeypatch):
    (tmp_path / "ranks.csv").write_text("1\n")
    assert correct(tmp_path / "ranks.csv", "--metric", "auc", items="100000000000000") == 1
    assert_one_sentence(capsys, "items is 100000000000000, expected a whole number from 2 to 100,000,000")

    def exhaust(*arguments):
        raise MemoryError

    monkeypatch.setattr(Mle, "fit", exhaust)
    assert correct(tmp_path / "ranks.csv", "--metric", "auc", "--estimator", "mle") == 1
    assert_one_sentence(capsys, "need more memory than is available; lower these two")


@pytest.mark.slow
def test_a_confidence_is_printed_as_it_is(ranks, capsys):
    assert correct(ranks[0], "--metric", "auc", "--estimator", "bv_01", "--confidence", "0.999") == 0
    assert "99.9% intervals are bootstrap intervals" in capsys.readouterr().out
    assert main(["plan", "--margin", "0.01", "--confidence", "0.999"]) == 0
    assert "at 99.9% confidence" in capsys.readouterr().out


def test_fewer_items_than_negatives_are_refused(tmp_path, capsys):
    (tmp_path / "ranks.csv").write_text("1\n")
    assert correct(tmp_path / "ranks.csv", "--metric", "recall@10", items="50") == 1
    assert "items is 50 and negatives 50, expected more items than negatives" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--margin", "0"], "margin is 0, expected more than 1e-06"),
        (["--margin", "1e-200"], "margin is 1e-200, expected more than 1e-06 and less than 1"),
        (["--margin", "0.01", "--models", "0"], "models is 0, expected a whole number from 1 to 1,000,000"),
        (["--margin", "0.01", "--models", "9" * 400], "expected a whole number from 1 to 1,000,000"),
        (["--margin", "0.01", "--population", "0"], "population is 0, expected a whole number from 1"),
    ],
)
def test_plans_that_make_no_sense_are_refused(arguments, sentence, capsys):
    assert main(["plan", *arguments]) == 1
    assert_one_sentence(capsys, sentence)


def test_a_plan_for_all_users_needs_no_more_than_there_are(capsys):
    """n / (1 + n / 6,040) of the 12,560 and 19,208 users that an endless population asks for."""
    assert main(["plan", "--margin", "0.01", "--models", "2", "--population", "6040"]) == 0
    users = [int(line.split()[0].replace(",", "")) for line in capsys.readouterr().out.splitlines()]
    assert users == [4079, 4596, 6040]


def test_the_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"truerank {metadata.version('truerank')}\n"


def test_every_option_has_a_help_text(capsys):
    for command in ("correct", "bounds", "plan", "compare", "export"):
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])
        assert not re.search(r"^\s+--\w+ [A-Z]+\s*$\n\s+--", capsys.readouterr().out, re.MULTILINE)


def test_the_words_of_all_commands_are_known_without_importing_anything_slow():
    program = (
        "import sys\n"
        "from truerank.cli.parser import parser\n"
        "parser().format_help()\n"
        "slow = {'numpy', 'scipy', 'pandas', 'numba', 'pyarrow', 'yaml', 'jsonschema'} & set(sys.modules)\n"
        "assert not slow, slow\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
