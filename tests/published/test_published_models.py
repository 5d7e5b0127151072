"""How well the models rank each user's last item of MovieLens 1M: among all, and among 99 sampled as He et al. 2017 do.

The latter is the expectation over draws, from exact ranks.
"""

import pytest
from scipy import stats
from truerank.config.merging import read_defaults
from truerank.models.ease import Ease
from truerank.models.item_cf import ItemCF
from truerank.registry import MODELS

from tests.published.test_published import candidates_of, leave_one_out, percentages, pytestmark, ranked

__all__ = ["leave_one_out", "pytestmark"]
DEFINED = read_defaults()["models"]
POPULARITY = 4.14


def among_99(split, ranking):
    """Return the expected recall@10 among 99 items drawn without replacement."""
    rank, candidates = 1 + ranking.above + ranking.before, candidates_of(split)
    return stats.hypergeom.cdf(9, candidates - 1, rank - 1, 99).mean()


@pytest.mark.parametrize("name", ["ials_tuned", "bpr"])
def test_ials_and_bpr_reach_what_he_et_al_print(leave_one_out, name):
    """They print about .70 and .69."""
    assert among_99(leave_one_out, ranked(leave_one_out, MODELS.make(DEFINED[name]))) >= 0.68


def test_slim_is_above_item_neighbours_and_about_ease(leave_one_out):
    found = {
        name: percentages(leave_one_out, ranked(leave_one_out, model))["recall@10"]
        for name, model in {
            "slim": MODELS.make(DEFINED["slim"]),
            "neighbours": ItemCF(power=1, neighbours=10),
            "ease": Ease(l2=200),
        }.items()
    }
    assert found["slim"] > found["neighbours"] + 1
    assert found["slim"] == pytest.approx(found["ease"], abs=0.5)


@pytest.mark.parametrize("name", ["pure_svd", "plsa", "wrmf"])
def test_a_personal_model_is_above_popularity(leave_one_out, name):
    assert percentages(leave_one_out, ranked(leave_one_out, MODELS.make(DEFINED[name])))["recall@10"] > POPULARITY + 2
