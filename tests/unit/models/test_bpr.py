"""BPR against slow steps, and on a case that is plain."""

import numpy as np
import pytest
from scipy import stats
from truerank.models.bpr import BPR
from truerank.models.compiled.bpr import epoch

from tests.support import all_scores, fitted, for_each, noisy_train, train_of


def slow_epoch(order, drawn, train, bias, p, q, rate, l2, biased):
    """Follow the gradient of ln sigma(lead) - l2/2 |parameters|^2 of each triple."""
    has = train.matrix.toarray() > 0
    losses = []
    for row in order:
        u, i, j = train.user[row], train.item[row], drawn[row]
        if has[u, j]:
            continue
        lead = bias[i] - bias[j] + p[u] @ (q[i] - q[j])
        push = 1 / (1 + np.exp(lead))
        losses.append(-np.log(1 / (1 + np.exp(-lead))))
        steps = push * (q[i] - q[j]) - l2 * p[u], push * p[u] - l2 * q[i], -push * p[u] - l2 * q[j]
        if biased:
            bias[i] += rate * (push - l2 * bias[i])
            bias[j] += rate * (-push - l2 * bias[j])
        p[u] += rate * steps[0]
        q[i] += rate * steps[1]
        q[j] += rate * steps[2]
    return np.mean(losses)


@for_each("biased", [True, False])
def test_an_epoch_is_that_of_the_slow_steps(biased):
    rng, train = np.random.default_rng(1), noisy_train()
    n = len(train.user)
    order, drawn = rng.permutation(n), rng.integers(train.n_items, size=n, dtype=np.int32)
    start = [rng.normal(size=shape) for shape in ((30,), (40, 4), (30, 4))]
    fast, slow = [array.astype(np.float32) for array in start], [array.copy() for array in start]
    rows = order, drawn, train.user, train.item, train.matrix.indptr, train.matrix.indices
    loss = epoch(*rows, *fast, np.float32(0.1), np.float32(0.05), biased)
    assert loss == pytest.approx(slow_epoch(order, drawn, train, *slow, 0.1, 0.05, biased), rel=1e-4)
    for one, two in zip(fast, slow, strict=True):
        np.testing.assert_allclose(one, two, atol=1e-4)


def test_drawn_users_are_equally_likely_and_so_are_their_items():
    """Chi-squared with a false alarm of 1e-6; each interaction of a user has the user's share over their number."""
    train = noisy_train()
    rng, model = np.random.default_rng(1), BPR(draw="users")
    rows = np.concatenate([model.drawn(train, rng) for _ in range(200)])
    n_active = (train.per_user > 0).sum()
    chance = 1 / n_active / train.per_user[train.user]
    counts = np.bincount(rows, minlength=len(train.user))
    assert chance.sum() == pytest.approx(1)
    assert stats.chisquare(counts, chance * counts.sum()).pvalue > 1e-6
    once = BPR().drawn(train, rng)
    assert sorted(once) == list(range(len(train.user))), "each interaction once"


def test_the_rate_falls_by_the_same_factor_to_the_last_one():
    np.testing.assert_allclose(BPR(rate=0.8, last_rate=0.1, epochs=4).rates(), [0.8, 0.4, 0.2, 0.1])
    np.testing.assert_allclose(BPR(rate=0.8, epochs=3).rates(), 0.8)


def test_without_bias_there_is_none():
    train = noisy_train()
    assert not fitted(BPR(factors=4, epochs=3, bias=False), train)["items"][:, -1].any()
    assert fitted(BPR(factors=4, epochs=3), train)["items"][:, -1].any()


def test_the_loss_falls_and_is_told():
    told = []
    BPR(factors=4, epochs=20).fit(noisy_train(), np.random.default_rng(1), lambda *step: told.append(step))
    assert [step[:2] for step in told] == [(step, 20) for step in range(1, 21)]
    assert told[-1][2] < 0.9 * told[0][2]


def test_what_a_user_has_comes_before_what_the_user_lacks():
    train = noisy_train()
    model = BPR(factors=16, epochs=300, l2=0.0)
    scores = all_scores(model, fitted(model, train), train)
    has = train.matrix.toarray() > 0
    for user in range(38):
        ordered = (scores[user][has[user]][:, None] > scores[user][~has[user]]).mean()
        assert ordered > 0.95


def test_a_user_without_interactions_gets_what_is_chosen_most():
    pairs = [(user, item) for user in range(20) for item in range(4) if user % (item + 1) == 0]
    train = train_of(pairs, 21, 6)
    model = BPR(factors=2, epochs=100)
    assert np.argsort(-all_scores(model, fitted(model, train), train)[20])[:4].tolist() == [0, 1, 2, 3]
