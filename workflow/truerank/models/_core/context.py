"""Turn attributes of users, such as age or occupation, into the numbers that a model can learn from."""

from collections.abc import Mapping, Sequence

import numpy as np

LEAST_SHARE = 0.01


def encode(attributes: Mapping[str, Sequence | np.ndarray]) -> np.ndarray | None:
    """Return users x features, float32, or None if there is no attribute that varies.

    attributes : name -> one value per user, numbers (NaN or infinite where missing) or text (None where missing). A
    number is scaled to mean 0 and variance 1 over the users who have it and is 0 for the others; text gets one feature
    of 0 or 1 per value that at least one user in a hundred has. A user who lacks a value that others have gets 1 in a
    feature of its own.
    """
    features = [feature for values in attributes.values() for feature in features_of(np.asarray(values))]
    return np.stack(features, axis=1).astype(np.float32) if features else None


def features_of(values: np.ndarray) -> list[np.ndarray]:
    if values.dtype.kind in "biuf":
        number = values.astype(np.float64)
        missing = ~np.isfinite(number)
        known = number[~missing]
        spread = known.std() if len(known) else 0
        features = [np.where(missing, 0, (number - known.mean()) / spread)] if spread > 0 else []
    else:
        missing = np.array([value is None or value != value for value in values], bool)
        text = values.astype(str)
        levels, counts = np.unique(text[~missing], return_counts=True)
        shared = levels[(counts >= LEAST_SHARE * len(values)) & (counts < len(values))]
        features = [~missing & (text == level) for level in shared]
    return [*features, missing] if features and missing.any() else features
