"""Candidates other than the default, through the workflow: ranks, lists, metrics, drawn negatives, by hand."""

import numpy as np
import pyarrow.parquet as pq
import pytest
from truerank.artefacts.files import read_arrays

RULES = ("all", "tested")
PARTS = ("train", "test")


def candidates_by_hand(rule, user, train, test, n_items):
    own, tested = set(train.item[train.user == user]), set(test.item)
    return {"all": set(range(n_items)), "tested": tested - own}[rule]


@pytest.mark.parametrize("rule", RULES)
def test_ranks_metrics_and_drawn_negatives_have_the_same_candidates(study, rule):
    """Popularity is ranked by hand; the mean of 400 sampled ranks tells what the negatives were drawn from."""
    part = study.config["select"]["ranking"] | {"models": ["popularity"], "metrics": ["recall", "auc"]}
    study.config["splits"] = {"thin": {"kind": "user_fraction", "test": 0.08}}  # most items are in nobody's test set
    part |= {"split": "thin", "candidates": rule}
    study.config["select"]["ranking"] = part
    study.config["samplers"] = {"drawn": {"kind": "draw", "negatives": 3, "repeats": 400}}
    study.config["select"]["sampling"] = part | {"samplers": ["drawn"], "estimators": ["uncorrected"]}
    made = ("ranks/{}/popularity.parquet", "samples/{}/drawn.npz", "metrics/{}/per_user.parquet")
    study.done(*(f"results/{path}".format("small/thin") for path in made))
    train, test = (pq.read_table(study.results / f"splits/small/thin/{name}.parquet").to_pandas() for name in PARTS)
    n_items = pq.read_metadata(study.results / "datasets/small/items.parquet").num_rows
    assert len(set(test.item)) < n_items
    degree = np.bincount(train.item, minlength=n_items)
    ranks = pq.read_table(study.results / "ranks/small/thin/popularity.parquet").to_pandas()
    for row in ranks.itertuples():
        among = candidates_by_hand(rule, row.user, train, test, n_items)
        assert row.item in among
        assert row.candidates == len(among)
        assert row.above == sum(degree[other] > degree[row.item] for other in among)
        assert row.tied == sum(degree[other] == degree[row.item] for other in among) - 1
    lists = pq.read_table(study.results / "lists/small/thin/popularity.parquet").to_pandas()
    for user, own in lists.groupby("user"):
        assert set(own.item) == candidates_by_hand(rule, user, train, test, n_items), "a list of 100 has them all"

    relevant = ranks[ranks.rating >= 4]
    place = 1 + relevant.above + relevant.before
    drawn = read_arrays(study.results / "samples/small/thin/drawn.npz")
    assert (drawn["candidates"] == relevant.candidates).all()
    share = (place - 1) / (relevant.candidates - 1)
    spread = np.sqrt(share * (1 - share) / (3 * 400))
    assert (np.abs((drawn["rank"][0].mean(axis=0) - 1) / 3 - share) <= 6 * spread).all(), "6 sd of the binomial"

    alone = relevant.groupby("user").filter(lambda own: len(own) == 1)
    by_hand = 1 - (alone.above + alone.before) / (alone.candidates - 1)
    per_user = pq.read_table(study.results / "metrics/small/thin/per_user.parquet").to_pandas().set_index("user")
    np.testing.assert_allclose(per_user["auc@all"].loc[alone.user], by_hand)
