"""The value at a place of values that come in parts, against sorting them."""

import numpy as np
import pytest
from truerank.informed.place import counted, value_at


@pytest.mark.parametrize("low", [0.0, 0.3])
def test_values_at_places_are_those_of_the_sorted_ones(low):
    rng = np.random.default_rng(1)
    values = low + (1.7 - low) * rng.random(5000) ** 3
    values[100:200] = values[50]
    values[:2] = low, np.nextafter(1.7, 0)
    parts = np.split(values, [0, 700, 701])
    counts = sum(counted(part, low, 1.7) for part in parts)
    for place, value in enumerate(np.sort(values)):
        if place % 37 == 0 or place == 4999:
            assert value_at(place, counts, parts, low, 1.7) == value
