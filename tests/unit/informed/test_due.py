"""What comes due in the tail, by one formula for all positions."""

import numpy as np
import pytest
from truerank.informed.compiled.due import find_due
from truerank.informed.design import come_due
from truerank.ranking.order import mix

from tests.informed import one_held_out


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.4), (0.2, 3.0), (1.0, 40.0), (0.5, 0.5)])
@pytest.mark.parametrize("head", [0, 30])
def test_positions_come_due_at_their_levels(head, low, high):
    rng = np.random.default_rng(2)
    salts, n = rng.integers(0, 2**64, 40, np.uint64), rng.integers(20, 300, 40)
    drawn = mix(salts[:, None] + np.arange(300, dtype=np.uint64)) >> np.uint64(11)
    level = (drawn + 0.5) * 2.0**-53 * np.sqrt(np.arange(300) + 1.0)
    position = np.arange(300)
    row, wanted = np.nonzero((level >= low) & (level < high) & (position >= head) & (position < n[:, None]))
    start, positions, levels = np.zeros(41, np.int64), np.zeros(len(row), np.int64), np.zeros(len(row))
    for room in (len(row), len(row) // 2):
        found = find_due(salts, head, n, low, high, start, positions[:room], levels[:room])
        assert found == len(row)
        assert np.array_equal(start, np.searchsorted(row, np.arange(41)))
        assert np.array_equal(positions[:room], wanted[:room])
        assert np.array_equal(levels[:room], level[row, wanted][:room])


def test_room_that_is_too_small_is_made_larger(monkeypatch):
    problem, popularity = one_held_out()
    search, key = problem.search(popularity, 5), np.uint64(3)
    whole = come_due(search, 10, 0.1, 2.0, key)
    monkeypatch.setattr("truerank.informed.design.expected", lambda *_: 0.01)
    monkeypatch.setattr("truerank.informed.design.SPARE_ROOM", 0)
    again = come_due(search, 10, 0.1, 2.0, key)
    assert np.array_equal(whole.positions, again.positions)
    assert len(whole.positions) == whole.start[-1] > 100
