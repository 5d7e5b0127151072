"""The canonical form: codes by sorted id, rows by user and item, a checksum that ignores the order of rows."""

import hashlib
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.datasets._core.interactions import NO_TIME, Interactions, id_order, joined

IDS = st.one_of(st.integers(-30, 30).map(str), st.sampled_from(["007", "a", "B", "é", "1.0", "+1", "-0", " 1"]))
PAIRS = st.lists(st.tuples(IDS, IDS), min_size=1, max_size=30, unique=True)


def rows_of(pairs, rating=None, timestamp=None, part=None):
    """Interactions from pairs of ids, codes in order of appearance."""
    users, items = (list(dict.fromkeys(pair[side] for pair in pairs)) for side in (0, 1))
    n = len(pairs)
    return Interactions(
        user=np.array([users.index(user) for user, _ in pairs], dtype=np.int32),
        item=np.array([items.index(item) for _, item in pairs], dtype=np.int32),
        rating=np.full(n, np.nan, np.float32) if rating is None else np.array(rating, np.float32),
        timestamp=np.full(n, NO_TIME) if timestamp is None else np.array(timestamp, np.int64),
        users={"id": users},
        items={"id": items},
        part=part,
    )


def test_ids_sort_as_numbers_only_if_all_are_integers_in_their_usual_spelling():
    assert [["10", "9", "-1"][i] for i in id_order(["10", "9", "-1"])] == ["-1", "9", "10"]
    for other in ("007", "x", "1.0", "+1", "-0", "", "1" * 30):
        ids = ["10", "9", other]
        assert [ids[i] for i in id_order(ids)] == sorted(ids)


@given(PAIRS, st.randoms())
def test_canonical_form_is_the_sorted_pairs_whatever_the_order(pairs, random):
    shuffled = random.sample(pairs, len(pairs))
    rating = {pair: number % 5 for number, pair in enumerate(pairs)}
    rows = rows_of(pairs, rating=[rating[pair] for pair in pairs]).canonical()
    again = rows_of(shuffled, rating=[rating[pair] for pair in shuffled]).canonical()
    assert rows.users == again.users
    assert rows.items == again.items
    for name in ("user", "item", "rating", "timestamp"):
        np.testing.assert_array_equal(getattr(rows, name), getattr(again, name))
    assert rows.checksum() == again.checksum()
    place = {pair: (int(u), int(i)) for pair, u, i in zip(sorted_pairs(rows), rows.user, rows.item, strict=True)}
    assert set(place) == set(pairs)
    assert list(place.values()) == sorted(place.values())
    assert [rating[pair] for pair in place] == rows.rating.tolist()


def sorted_pairs(rows):
    return [rows.pair_ids(row) for row in range(len(rows))]


def test_canonical_form_leaves_out_users_and_items_without_rows_and_keeps_attributes_aligned():
    rows = rows_of([("b", "y"), ("a", "x"), ("c", "x")])
    rows.users["age"] = [20, 10, 30]
    left = rows.take(rows.user != 0).canonical()
    assert left.users == {"id": ["a", "c"], "age": [10, 30]}
    assert left.items == {"id": ["x"]}
    assert left.user.dtype == np.int32


@pytest.mark.parametrize(
    "other",
    [
        rows_of([("1", "2"), ("1", "4")], [1, 2], [5, 6]),
        rows_of([("1", "2"), ("1", "3")], [1, 3], [5, 6]),
        rows_of([("1", "2"), ("1", "3")], [1, np.nan], [5, 6]),
        rows_of([("1", "2"), ("1", "3")], [1, 2], [5, 7]),
        rows_of([("1", "2"), ("1", "3")], [1, 2], [5, 6], part=np.array([False, True])),
    ],
    ids=["id", "rating", "no rating", "timestamp", "part"],
)
def test_checksum_notices_every_column(other):
    assert rows_of([("1", "2"), ("1", "3")], [1, 2], [5, 6]).checksum() != other.checksum()


def test_checksum_is_what_its_definition_says():
    """Ids as JSON, then little-endian columns: user, item, rating and timestamp, in canonical order."""
    rows = rows_of([("10", "a"), ("2", "b")], [np.nan, 4.5], [NO_TIME, 7])
    content = b'["2", "10"]["a", "b"]' + struct.pack("<4i", 0, 1, 1, 0)
    content += struct.pack("<2f", 4.5, float("nan")) + struct.pack("<2q", 7, -1)
    assert rows.checksum() == hashlib.sha256(content).hexdigest()


@given(PAIRS, PAIRS)
def test_joined_parts_keep_their_pairs(train, test):
    rows = joined(rows_of(train), rows_of(test))
    assert [rows.pair_ids(row) for row in range(len(rows))] == train + test
    assert rows.part.tolist() == [False] * len(train) + [True] * len(test)
