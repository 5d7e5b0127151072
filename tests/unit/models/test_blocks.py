"""Models that work through item x item matrices in blocks: the same numbers as all at once."""

import numpy as np
import pytest
from truerank.models import ease, ials
from truerank.models._core import base
from truerank.models._core.base import Recommender, gram_rows
from truerank.models.ease import Ease, symmetric_rows
from truerank.models.ials import Ials
from truerank.models.item_cf import ItemCF

from tests.support import fitted, noisy_train


@pytest.fixture(params=[1, 7, 30], ids=["1 row", "7 rows", "30 rows"])
def small_blocks(request, monkeypatch):
    """Blocks of which the 30 items of the data need 30, 5 and 1."""

    def shrink():
        for module in (base, ease, ials):
            monkeypatch.setattr(module, "ROWS_PER_BLOCK", request.param)

    return shrink


def test_products_by_rows_are_the_product(small_blocks):
    small_blocks()
    matrix = noisy_train().matrix
    found = np.vstack([products.toarray() for _, products in gram_rows(matrix)])
    np.testing.assert_array_equal(found, (matrix.T @ matrix).toarray())


MODELS = [ItemCF(power=3), Ease(l2=2.0), Ials(factors=4, iterations=3)]


@pytest.mark.parametrize("model", MODELS, ids=["all cosines", "ease", "ials"])
def test_what_is_learnt_does_not_depend_on_the_blocks(small_blocks, model):
    train = noisy_train()
    whole = fitted(model, train)
    small_blocks()
    found = fitted(model, train)
    assert found.keys() == whole.keys()
    for name in whole:
        np.testing.assert_array_equal(found[name], whole[name])


def test_rows_of_a_symmetric_matrix_from_its_lower_half():
    full = np.arange(25.0).reshape(5, 5)
    full = full + full.T
    lower = np.where(np.tri(5), full, -99)
    np.testing.assert_array_equal(symmetric_rows(lower, slice(1, 4)), full[1:4])


def test_scoring_some_items_by_scoring_all_takes_few_users_at_a_time(monkeypatch):
    class Counted(Recommender):
        asked = ()

        def scores(self, learnt, train, users):
            self.asked = (*self.asked, len(users))
            return users[:, None] * 100.0 + np.arange(train.n_items)

    train, model = noisy_train(), Counted()
    monkeypatch.setattr(base, "CELLS_PER_BLOCK", 3 * train.n_items)
    users, items = np.arange(8), np.arange(16).reshape(8, 2)
    found = model.scores_of({}, train, users, items)
    assert model.asked == (3, 3, 2)
    np.testing.assert_array_equal(found, users[:, None] * 100 + items)
    model.asked, users = (), np.array([5, 1, 1, 7, 5, 1, 0, 5])
    found = model.scores_of({}, train, users, items)
    assert model.asked == (3, 1), "users who are asked for several times are scored once"
    np.testing.assert_array_equal(found, users[:, None] * 100 + items)
