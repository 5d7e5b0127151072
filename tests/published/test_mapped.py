"""Li et al. 2020, the figures published beside the paper: recall of sampled sets, and recall on all items at f(k)."""

import numpy as np
import pytest
from truerank.artefacts.counted_ranks import CountedRanks
from truerank.artefacts.test_instances import ExactRanks
from truerank.core.curves import mapping
from truerank.models.ease import Ease
from truerank.provenance import generator
from truerank.sampling.uniform import uniform

from tests.published.test_published import SEED, candidates_of, leave_one_out, pytestmark, ranked

__all__ = ["leave_one_out", "pytestmark"]
K = (1, 2, 5, 10, 20, 50)
SET = 100
AT_F = {
    "bound": [0.1737, 0.3348, 0.5732, 0.7339, 0.8594, 0.9618],
    "beta_0.5": [0.2326, 0.3700, 0.5873, 0.7374, 0.8604, 0.9616],
}
SAMPLED = [0.2233, 0.3497, 0.5646, 0.7207, 0.8477, 0.9555]  # one draw


@pytest.fixture(scope="module")
def exact(leave_one_out):
    """The exact ranks of EASE among the items that a user does not have in training."""
    ranking = ranked(leave_one_out, Ease(l2=1200))
    rank = (1 + ranking.above + ranking.before)[None]
    alone = np.zeros_like(rank), np.zeros_like(rank[0])
    return ExactRanks(leave_one_out.user, leave_one_out.item, rank, candidates_of(leave_one_out), *alone)


def test_recall_at_f_of_k_is_theirs_to_four_decimals(exact, leave_one_out):
    for table in mapping(CountedRanks.of(exact), ["ease"], [SET - 1], leave_one_out.train.n_items):
        name = table["mapping"].iloc[0]
        if name in AT_F:
            found = table.set_index("k")["exact"][list(map(str, K))]
            assert [round(value, 4) for value in found] == AT_F[name], name


def test_sampled_recall_is_theirs_within_the_spread_of_one_draw(exact):
    drawn = uniform(exact.rank, exact.candidates, generator(SEED, "mapped"), negatives=SET - 1, repeats=50).rank[0]
    recall = (drawn[..., None] <= np.array(K)).mean(axis=1)
    apart = (recall.mean(axis=0) - SAMPLED) / recall.std(axis=0, ddof=1)
    assert np.abs(apart).max() < 3.5, apart  # six figures
