"""A loop in place of cases runs all of them, and says which one failed."""

import pytest

from tests.support import for_each


def test_every_combination_has_its_turn_and_fixtures_stay():
    seen = []

    @for_each("letter", "ab")
    @for_each(("one", "two"), ((number, 2 * number) for number in range(2)))
    def check(fixture, letter, one, two):
        seen.append((fixture, letter, one, two))

    check(fixture="f")
    assert seen == [("f", "a", 0, 0), ("f", "a", 1, 2), ("f", "b", 0, 0), ("f", "b", 1, 2)]


def test_a_failure_says_with_what():
    @for_each("number", [1, 2, 3])
    def check(number):
        assert number != 2

    with pytest.raises(AssertionError) as failed:
        check()
    assert failed.value.__notes__ == ["with {'number': 2}"]


def test_no_values_are_a_mistake():
    with pytest.raises(AssertionError, match="no case"):
        for_each("number", [])
