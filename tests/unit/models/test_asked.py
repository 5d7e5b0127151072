"""Scores of a few items: the numbers of the whole product, at the cost of what is asked."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from truerank.models._core import asked
from truerank.models._core.asked import inner_products_at, product, product_at
from truerank.models._core.base import FactorModel, ItemWeightModel
from truerank.models._core.neighbours import UserNeighbourModel
from truerank.models.item_cf import ItemCF
from truerank.models.multivae import MultiVAE
from truerank.models.nncosngbr import NNCosNgbrItem, NNCosNgbrUser
from truerank.models.relevance_models import Rm1
from truerank.models.rocchio import Chi2, RocchioWeights
from truerank.models.uir_item import UirItem
from truerank.registry import MODELS

from tests.support import fitted, for_each, noisy_train, train_of


@settings(deadline=None)
@given(
    shape=st.tuples(st.integers(1, 6), st.integers(1, 30), st.integers(1, 500)),
    n=st.integers(0, 12),
    density=st.sampled_from([0, 0.1, 0.6, 1]),
    seed=st.integers(0, 1000),
)
def test_entries_are_those_of_the_whole_product_to_the_bit(shape, n, density, seed):
    """Columns repeat, rows may be empty, and rows of up to 500 entries are read whole, searched or picked from."""
    rows, features, width = shape
    rng = np.random.default_rng(seed)
    left, right = (
        (rng.normal(size=size) * (rng.random(size) < density)).astype(np.float32)
        for size in ((rows, features), (features, width))
    )
    left, items = sparse.csr_matrix(left), rng.integers(width, size=(rows, n))
    for form in (right, sparse.csr_matrix(right), unsorted(right)):
        found, whole = product_at(left, form, items), left @ form
        assert found.dtype == np.float32
        whole = whole.toarray() if sparse.issparse(whole) else whole
        np.testing.assert_array_equal(found, np.take_along_axis(whole, items, axis=1))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_whole_products_are_those_of_scipy_to_the_bit(monkeypatch, dtype):
    """Rows of 0 to 40 entries, since eight are added at a time; other forms are left to SciPy."""
    monkeypatch.setattr(asked, "LARGE", 1)
    rng = np.random.default_rng(4)
    left = rng.normal(size=(41, 40)) * (np.arange(40) < np.arange(41)[:, None])
    left, right = sparse.csr_matrix(left.astype(dtype)), rng.normal(size=(40, 99)).astype(np.float32)
    for form in (right, np.asfortranarray(right), sparse.csr_matrix(right)):
        whole = left @ form
        whole = whole.toarray() if sparse.issparse(whole) else whole
        found = product(left, form)
        assert found.dtype == whole.dtype
        np.testing.assert_array_equal(found, whole)


def unsorted(dense):
    """Return a CSR matrix with descending columns, as a product of sparse matrices may have them."""
    turned = sparse.csr_matrix(dense[:, ::-1])
    columns = (dense.shape[1] - 1 - turned.indices).astype(np.int32)
    return sparse.csr_matrix((turned.data, columns, turned.indptr), shape=dense.shape)


def test_inner_products_are_those_of_loops():
    rng = np.random.default_rng(1)
    left, right = (rng.normal(size=size).astype(np.float32) for size in ((7, 19), (11, 19)))
    items = rng.integers(11, size=(7, 13))
    found = inner_products_at(left, right, items)
    expected = [[sum(map(float, left[r] * right[i])) for i in asked] for r, asked in enumerate(items)]
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


SUMS = [entry for entry in MODELS if issubclass(entry.make, (ItemWeightModel, UserNeighbourModel, Rm1))]


@for_each("rating", [False, True])
@for_each("entry", SUMS)
def test_models_that_sum_score_some_items_as_all_to_the_bit(entry, rating):
    """Items that tie in the exact ranking then tie among drawn ones too."""
    train, model = noisy_train(rating=rating), entry.make()
    learnt = fitted(model, train)
    users = np.random.default_rng(2).permutation(np.tile(np.arange(train.n_users), 2))
    items = np.random.default_rng(3).integers(train.n_items, size=(len(users), 9))
    whole = model.scores(learnt, train, users)
    np.testing.assert_array_equal(
        model.scores_of(learnt, train, users, items), np.take_along_axis(whole, items, axis=1)
    )


COSTLY = [ItemCF(power=3), UirItem(), NNCosNgbrItem(), NNCosNgbrUser(), RocchioWeights(), Chi2(), Rm1()]


@pytest.mark.parametrize("model", COSTLY, ids=lambda model: type(model).__name__)
def test_a_few_items_of_a_large_catalogue_take_a_small_part_of_the_memory_of_all(model):
    """Two of 20,000 items are asked of 400 users: no product of all users and items is made, not even a sparse one.

    Many users share the popular items, so that the weights of a history reach most of the catalogue.
    """
    rng = np.random.default_rng(4)
    item = (20_000 * rng.random((400, 100)) ** 3).astype(int)
    train = train_of({(user, i) for user, row in enumerate(item) for i in row}, 400, 20_000)
    learnt, users = fitted(model, train), np.arange(400)
    items = rng.integers(20_000, size=(400, 2))

    def few():
        return model.scores_of(learnt, train, users, items)

    assert 20 * peak(few) < 4 * len(users) * train.n_items


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "learnt"),
    [
        (FactorModel(), {"users": np.ones((300, 128), np.float32), "items": np.ones((1000, 128), np.float32)}),
        (MultiVAE(hidden=128, latent=2, epochs=1, batch=300), None),
    ],
    ids=["factors", "network"],
)
def test_vectors_of_items_are_not_copied_for_every_user(model, learnt):
    train = noisy_train(300, 1000)
    learnt = learnt or fitted(model, train)
    items = np.random.default_rng(5).integers(1000, size=(300, 500))
    copies = items.size * 128 * 4
    assert 10 * peak(lambda: model.scores_of(learnt, train, np.arange(300), items)) < copies


def peak(work):
    """Return the bytes that a run holds at most, after one that compiles."""
    work()
    tracemalloc.start()
    work()
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return held
