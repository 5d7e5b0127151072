"""The command line: figures that need no computer, and mistakes told in one sentence."""

import re

import numpy as np
import pytest
from truerank.cli import main
from truerank.provenance import generator
from truerank.sampling.uniform import uniform


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


@pytest.mark.parametrize("estimator", ["mn_mes", "mle", "bv_001", "cls"])
def test_estimates_come_near_and_carry_an_interval(ranks, capsys, estimator):
    path, exact = ranks
    asked = ["--metric", "recall@10", "--metric", "auc", "--resamples", "50"]
    assert correct(path, "--estimator", estimator, *asked) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"4000 ranks, {estimator}, 95% bootstrap intervals"
    value, low, high = map(float, re.findall(r"\d\.\d+", told[1].partition(" ")[2]))
    assert value == pytest.approx(exact, rel=0.2)
    assert low <= value <= high
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


@pytest.mark.parametrize(
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
        ("1\n", ["--metric", "recall@10", "--confidence", "1.5"], "--confidence is 1.5, expected more than 0"),
    ],
)
def test_mistakes_are_told_in_one_sentence(tmp_path, capsys, content, arguments, sentence):
    path = tmp_path / "ranks.csv"
    if content is not None:
        path.write_text(content)
    assert correct(path, *arguments) == 1
    told = capsys.readouterr()
    assert not told.out
    assert sentence in told.err
    assert told.err.count("\n") == 1


def test_fewer_items_than_negatives_are_refused(tmp_path, capsys):
    (tmp_path / "ranks.csv").write_text("1\n")
    assert correct(tmp_path / "ranks.csv", "--metric", "recall@10", items="50") == 1
    assert "--items is 50 and --negatives 50, expected more items than negatives" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--margin", "0"], ["--margin", "0.01", "--models", "0"]])
def test_plans_that_make_no_sense_are_refused(arguments, capsys):
    assert main(["plan", *arguments]) == 1
    assert "expected" in capsys.readouterr().err


def test_every_option_has_a_help_text(capsys):
    for command in ("correct", "plan"):
        with pytest.raises(SystemExit, match="0"):
            main([command, "--help"])
        assert not re.search(r"^\s+--\w+ [A-Z]+\s*$\n\s+--", capsys.readouterr().out, re.MULTILINE)
