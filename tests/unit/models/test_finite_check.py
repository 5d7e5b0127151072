"""Training that runs away ends with a sentence, never with a model."""

import numpy as np
import pytest
from truerank.errors import UserError
from truerank.models._core.finite_check import check_finite
from truerank.models.bpr import BPR
from truerank.models.compiled.bpr import epoch
from truerank.models.factorisation import MF, SVD
from truerank.models.multivae import MultiVAE
from truerank.models.ncf import NCF
from truerank.models.neumf import NeuMF

from tests.support import fitted, for_each, noisy_train, train_of

RUNAWAYS = [BPR(rate=1e4), BPR(rate=50.0), SVD(rate=0.5), MF(rate=0.5), NCF(rate=1e30), NeuMF(rate=1e20),
            MultiVAE(rate=1e15, hidden=8, latent=4)]  # fmt: skip


@pytest.mark.slow
@for_each("model", RUNAWAYS)
@for_each("rating", [False, True])
def test_a_rate_that_is_too_high_is_told(model, rating):
    with pytest.raises(UserError, match=rf"diverged in epoch \d+ of {model.epochs} .*not finite.*; lower `rate`"):
        fitted(model, noisy_train(rating=rating))


def test_the_arrays_tell_of_the_last_step():
    check_finite(1, 1, 0.5, np.ones(2))
    for loss, learnt in ((np.nan, 1.0), (np.inf, 1.0), (0.5, np.nan), (0.5, np.inf)):
        with pytest.raises(UserError, match="epoch 1 of 1"):
            check_finite(1, 1, loss, np.ones(2), np.array([0, learnt], np.float32))


def test_a_pair_that_is_far_out_of_order_has_a_finite_loss():
    """e^100 is beyond float32, the logarithm of 1 + e^100 is 100."""
    train = train_of([(0, 0)], 1, 2)
    bias, zeros = np.array([-50, 50], np.float32), np.zeros((2, 1), np.float32)
    rows = np.zeros(1, np.int64), np.ones(1, np.int32), train.user, train.item
    learnt = bias, zeros[:1].copy(), zeros.copy(), np.float32(0.1), np.float32(0), True
    assert epoch(*rows, train.matrix.indptr, train.matrix.indices, *learnt) == pytest.approx(100)
