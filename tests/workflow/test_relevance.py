"""A threshold that no test item reaches is told before any model is trained; one relevant item is enough for a page."""

import random

import pytest
from bs4 import BeautifulSoup

from tests.workflow.test_mistakes import refused


def write_rated(study, rating):
    """Write five items of each of twelve users, in the order of time. rating : a function of user and place."""
    draw = random.Random(3)
    lines = ["who,what,stars,when"]
    for user in range(12):
        for place, item in enumerate(draw.sample(range(15), 5)):
            lines.append(f"u{user},i{item},{rating(user, place)},{10**9 + place}")
    (study.folder / "ratings.csv").write_text("\n".join(lines) + "\n")


@pytest.fixture
def last_one(study):
    """A study of every user's last item."""
    study.config["splits"] = {"last_one": {"kind": "leave_last_out"}}
    study.config["select"]["ranking"] |= {"split": "last_one", "models": ["popularity", "random"]}
    return study


def test_no_relevant_test_item_is_told_before_training(last_one):
    write_rated(last_one, lambda user, place: 0 if place % 2 else 1)
    assert refused(last_one) == (
        "split_interactions small/last_one failed: relevance.threshold is 4, and the test ratings of dataset 'small', "
        "split 'last_one' are all 1, none of 4 or more: no test item is relevant; set it to a number up to 1"
    )
    assert not (last_one.results / "logs/train_model").exists()
    last_one.config["relevance"] = {"threshold": 1}
    last_one.done("results/models/small/last_one/popularity/model.npz")


def test_a_known_scale_is_told_before_any_job(last_one):
    last_one.config["datasets"]["small"]["scale"] = [0, 3]
    sentence = refused(last_one)
    for part in ("relevance.threshold is 4", "'small'", "from 0 to 3", "up to 3"):
        assert part in sentence
    assert not last_one.results.exists()


def test_one_relevant_item_is_enough_for_a_page(last_one):
    """Of the other users the metrics are undefined, and so is, for all, a metric whose own threshold nothing meets."""
    write_rated(last_one, lambda user, place: 5 if (user, place) == (4, 4) else 3)
    last_one.config |= {
        "undefined_users": "drop",
        "metrics": {"recall_9": {"kind": "recall", "relevance": {"threshold": 9}}},
        "samplers": {"few": {"kind": "uniform", "negatives": 5, "repeats": 3}},
        "estimators": {"mle": {"kind": "mle"}},
    }
    part = last_one.config["select"]["ranking"]
    part["metrics"] = ["recall", "recall_9", "auc"]
    chosen = {"metrics": ["recall"], "samplers": ["few"], "estimators": ["mle"]}
    last_one.config["select"]["sampling"] = part | chosen
    last_one.config["robustness"] = {"sparsity": [1, 0.5], "popularity": [1], "samples": 1}
    last_one.done()
    page = BeautifulSoup((last_one.results / "report/small.html").read_text(encoding="utf-8"), "html.parser")
    text = " ".join(page.get_text(" ").split())
    assert "No model has a value on Recall@5 (9)" in text
    assert "12 for recall_9" in text
    assert "11 for recall, auc" in text
    assert (last_one.results / "report/index.html").exists()


def test_another_threshold_trains_nothing_again(finished):
    finished.config["relevance"] = {"threshold": 3}
    again = finished.would_run()
    assert {"check_relevance small/holdout", "evaluate_metrics small/holdout"} <= again
    assert not any(job.startswith(("train_model", "rank_items")) for job in again)
    finished.config["relevance"] = {"threshold": 40}
    assert refused(finished).startswith("check_relevance small/holdout failed: relevance.threshold is 40")
    finished.config["relevance"] = {"threshold": 4}
    assert not any(job.startswith(("train_model", "rank_items")) for job in finished.would_run())
