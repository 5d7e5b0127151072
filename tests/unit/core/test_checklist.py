"""What a reviewer asks: every answer can come out each way."""

import pandas as pd
import pytest
from truerank.core.checklist import FAIL, PASS, STATE, UNKNOWN, Answer, Evidence, as_markdown, checklist

from tests.support import default_study

FACTS = {"users_for_training_only": 1, "cold_test_users_dropped": 0, "test_users": 99}
LEAK = {"later_than_a_test_row": 0.5, "later_on_average": 0.2, "later_than_median": 0.3, "own_later": 0.0}


def answers(config=None, part=None, **changes):
    """Answers by a word of their question."""
    config = config or default_study()
    summary = pd.DataFrame({"model": ["ease"], "metric": ["ndcg"], "k": ["10"], "undefined": [3.0]})
    tests = pd.DataFrame({"model_a": ["a"], "model_b": ["b"], "effect_size": [0.1], "ci_low": [0.0]})
    of = Evidence(
        config,
        config["select"]["ranking"] | (part or {}),
        {"checksum": "ab" * 32},
        FACTS | {"leakage": LEAK},
        summary,
        tests,
        None,
        None,
    )
    found = checklist(of._replace(**changes))
    return {answer.question: answer for answer in found}


def told(found, word):
    (answer,) = [answer for question, answer in found.items() if word in question]
    return answer


def replicated(values):
    """Two models on two splits."""
    rows = [(model, "ndcg", "10", split, 1) for split in (1, 2) for model in "ab"]
    names = ["model", "metric", "k", "split_seed", "training_seed"]
    return pd.DataFrame(rows, columns=names).assign(value=values)


def grouped(values):
    rows = [("age", group, "ndcg", "10", model) for group in ("young", "old") for model in "ab"]
    return pd.DataFrame(rows, columns=["by", "group", "metric", "k", "model"]).assign(value=values)


def test_every_question_has_an_answer_and_a_reason():
    found = answers()
    assert len(found) == 12
    assert {answer.answer for answer in found.values()} == {PASS, FAIL, STATE, UNKNOWN}
    assert all(answer.why.endswith(".") for answer in found.values())


def test_answers_follow_what_the_study_wrote():
    config, none = default_study(), pd.DataFrame(columns=["model_a", "model_b", "effect_size", "ci_low"])
    lists = {"models": {**config["models"], "theirs": {"kind": "run", "path": "run.csv"}}}
    tuned = {"models": {**config["models"], "ease": {"kind": "ease", "tune": {"l2": {"low": 1, "high": 9}}}}}
    no_leak = FACTS | {"leakage": dict.fromkeys(LEAK, 0.0)}
    cases = [
        ("among all candidates", {}, PASS),
        ("among all candidates", {"config": config | lists, "part": {"models": ["theirs"]}}, UNKNOWN),
        ("equal scores", {}, PASS),
        ("equal scores", {"config": config | {"ties": "optimistic"}}, FAIL),
        ("cut-off", {}, PASS),
        ("cut-off", {"part": {"cutoffs": [5, 10]}}, FAIL),
        ("cut-off", {"part": {"cutoffs": [100]}}, FAIL),
        ("differences tested", {}, PASS),
        ("differences tested", {"significance": none}, UNKNOWN),
        ("sizes of differences", {}, PASS),
        ("sizes of differences", {"significance": none}, UNKNOWN),
        ("other seeds", {}, FAIL),
        ("other seeds", {"replicates": replicated([1, 2, 1, 2])}, PASS),
        ("other seeds", {"replicates": replicated([1, 2, 2, 1])}, FAIL),
        ("validation rows", {}, UNKNOWN),
        ("validation rows", {"config": config | tuned, "part": {"models": ["ease"]}}, PASS),
        ("validation rows", {"config": config | tuned, "part": {"models": ["ease", "ials"]}}, UNKNOWN),
        ("later than a test row", {}, FAIL),
        ("later than a test row", {"split_facts": no_leak}, PASS),
        ("later than a test row", {"split_facts": FACTS}, UNKNOWN),
        ("left out", {}, PASS),
        ("left out", {"split_facts": FACTS | {"cold_test_users_dropped": 30}}, FAIL),
        ("chosen before", {}, STATE),
        ("chosen before", {"config": config | {"headline": {"metric": "ndcg", "k": 10}}}, PASS),
        ("every group", {}, UNKNOWN),
        ("every group", {"groups": grouped([1, 2, 1, 2])}, PASS),
        ("every group", {"groups": grouped([1, 2, 2, 1])}, FAIL),
        ("same data", {}, PASS),
        ("same data", {"facts": {}}, UNKNOWN),
    ]
    for word, changes, expected in cases:
        assert told(answers(**changes), word).answer == expected, (word, changes.keys())


def test_markdown_cells_cannot_be_broken():
    lines = list(as_markdown("a|b", [Answer("q <b>", "pass", "x | y\nz")]))
    assert lines[0] == "# Checklist: a\\|b"
    assert lines[-1] == "| q &lt;b&gt; | pass | x \\| y z |"


@pytest.mark.parametrize("policy", ["zero", "drop"])
def test_undefined_users_count_or_are_left_out(policy):
    config = default_study() | {"undefined_users": policy}
    many = pd.DataFrame({"model": ["ease"], "metric": ["ndcg"], "k": ["10"], "undefined": [40.0]})
    assert told(answers(config, summary=many), "left out").answer == (PASS if policy == "zero" else FAIL)
