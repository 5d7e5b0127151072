"""Attributes of users as numbers."""

import numpy as np
from truerank.models._core.context import encode


def test_numbers_are_scaled_and_text_gets_a_feature_per_value():
    features = encode({"age": np.array([20, 40, 60]), "job": np.array(["writer", "nurse", "nurse"], object)})
    assert features.dtype == np.float32
    spread = np.sqrt(800 / 3)
    np.testing.assert_allclose(features, [[-20 / spread, 0, 1], [0, 1, 0], [20 / spread, 1, 0]], rtol=1e-6)


def test_what_is_missing_is_zero_and_says_so():
    features = encode({"age": np.array([1.0, np.nan, 3.0]), "job": np.array(["a", None, "b"], object)})
    assert features.tolist() == [[-1, 0, 1, 0, 0], [0, 1, 0, 0, 1], [1, 0, 0, 1, 0]]


def test_a_value_that_is_missing_is_no_value_of_its_own():
    """Neither an empty text nor one that spells None is a missing one, and an infinite number is."""
    features = encode({"job": np.array(["", None, "None", ""], object), "age": np.array([1, np.inf, 3, -np.inf])})
    assert features.tolist() == [[1, 0, 0, -1, 0], [0, 0, 1, 0, 1], [0, 1, 0, 1, 0], [1, 0, 0, 0, 1]]


def test_truth_values_are_features_whether_or_not_some_are_missing():
    whole = encode({"member": np.array([True, False, False, True])})
    assert whole[:, 0].tolist() == [1, -1, -1, 1]
    with_gaps = encode({"member": np.array([True, None, False, True], object)})
    assert with_gaps.tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]]


def test_rare_values_and_attributes_that_do_not_vary_are_left_out():
    n = 1000
    zip_code = np.array([f"z{user}" for user in range(n)], object)
    zip_code[:10] = "common"
    same = np.array(["x"] * n, object)
    features = encode({"zip": zip_code, "same": same, "one": np.ones(n), "none": np.full(n, np.nan)})
    assert features.shape == (n, 1)
    assert features[:, 0].sum() == 10


def test_no_attribute_gives_no_context():
    assert encode({}) is None
    assert encode({"age": np.array([], float), "job": np.array([], object)}) is None
    assert encode({"same": np.array(["x", "x"], object)}) is None
    assert encode({"unknown": np.array([None, None], object)}) is None
