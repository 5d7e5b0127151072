"""Designs remember the laws that they were asked for: what they answer does not depend on what was asked before."""

import numpy as np
import pytest
from truerank.bounding import designs
from truerank.bounding.designs import Adaptive, Uniform

MADE = [lambda: Uniform(60, 9), lambda: Uniform(60, 9, replace=True), lambda: Adaptive(60, (4, 8, 16))]


@pytest.mark.parametrize("most", [0, designs.MOST_KEPT], ids=["computed", "kept"])
@pytest.mark.parametrize("make", MADE, ids=["uniform", "replaced", "adaptive"])
def test_laws_are_the_same_however_often_and_in_which_order_they_are_asked_for(make, most, monkeypatch):
    monkeypatch.setattr(designs, "MOST_KEPT", most)
    design = make()
    for rank in ([7, 1, 60, 7], [2, 7, 3], [60]):
        expected = np.concatenate([make().law(np.array([each])) for each in rank])
        assert np.array_equal(design.best(np.array(rank)), expected)
        assert np.array_equal(design.worst(np.array(rank)), expected)
