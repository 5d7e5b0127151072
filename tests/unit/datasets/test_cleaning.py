"""Duplicates, implicit feedback and the dense core against slow, obvious oracles."""

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.datasets._core.cleaning import binary, dense_core, implicit, merged, narrowed, repeated
from truerank.datasets._core.interactions import Interactions
from truerank.errors import UserError

ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 5), st.integers(0, 9)),
    min_size=1,
    max_size=40,
)


def rows_of(rows):
    user, item, rating, timestamp = np.array(rows).T
    ids = {"id": [str(number) for number in range(5)]}
    return Interactions(user, item, rating.astype(np.float32), timestamp, ids, ids)


def tuples(rows):
    columns = (rows.user, rows.item, rows.rating, rows.timestamp)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


def by_pair(rows):
    return groupby(sorted(rows, key=lambda row: row[:2]), key=lambda row: row[:2])  # sorted() keeps file order


@given(ROWS)
def test_first_and_last_keep_that_row_of_the_file(rows):
    groups = [list(group) for _, group in by_pair(rows)]
    assert tuples(merged(rows_of(rows), "first")) == [group[0] for group in groups]
    assert tuples(merged(rows_of(rows), "last")) == [group[-1] for group in groups]


@given(ROWS)
def test_mean_and_max_combine_ratings_and_keep_the_latest_time(rows):
    for policy, combine in (("mean", np.mean), ("max", max)):
        expected = []
        for pair, group in by_pair(rows):
            ratings, times = zip(*(row[2:] for row in group), strict=True)
            expected.append((*pair, float(np.float32(combine(ratings))), max(times)))
        assert tuples(merged(rows_of(rows), policy)) == expected


@given(ROWS)
def test_repeated_names_the_earliest_second_row(rows):
    seen, expected = {}, None
    for place, (user, item, *_) in enumerate(rows):
        if (user, item) in seen:
            expected = (seen[user, item], place)
            break
        seen[user, item] = place
    assert repeated(rows_of(rows)) == expected


@given(ROWS, st.integers(1, 4))
def test_core_is_what_removing_one_row_at_a_time_leaves(rows, k):
    left = list(merged_rows(rows))
    while True:
        poor = [
            row
            for row in left
            if sum(other[0] == row[0] for other in left) < k or sum(other[1] == row[1] for other in left) < k
        ]
        if not poor:
            break
        left.remove(poor[0])
    assert tuples(dense_core(rows_of(list(merged_rows(rows))), k)) == sorted(left)


def merged_rows(rows):
    return {row[:2]: row for row in rows}.values()


def test_core_may_be_empty():
    assert len(dense_core(rows_of([(0, 0, 1, 1), (1, 1, 1, 1)]), 2)) == 0


@pytest.mark.parametrize(("threshold", "kept"), [(3.3, [0, 1]), (3.4, [1]), (0, [0, 1])])
def test_implicit_keeps_ratings_at_the_threshold_and_forgets_them(threshold, kept):
    rows = rows_of([(0, 0, 0, 1), (1, 1, 5, 1)])
    rows.rating[0] = 3.3
    left = implicit(rows, threshold)
    assert left.user.tolist() == kept
    assert np.isnan(left.rating).all()


@given(ROWS, st.integers(1, 5))
def test_binary_ratings_keep_all_rows(rows, threshold):
    found = binary(rows_of(rows), threshold)
    assert tuples(found) == sorted((u, i, float(r >= threshold), t) for u, i, r, t in rows)
    assert found.scale == (0, 1)


def test_a_binary_threshold_must_part_the_ratings():
    rows = rows_of([(0, 0, 3, 0), (0, 1, 5, 0)])
    assert narrowed(rows, "mine", binary_threshold=4).rating.tolist() == [0, 1]
    with pytest.raises(UserError, match=r"datasets.mine.binary_threshold is 2, and all ratings .* one side of it"):
        narrowed(rows, "mine", binary_threshold=2)


def test_disliked_rows_are_kept_or_left_out_not_both():
    rows = rows_of([(0, 0, 2, 0), (0, 1, 5, 0)])
    with pytest.raises(UserError, match=r"implicit_threshold keeps .* binary_threshold .* one of the two"):
        narrowed(rows, "mine", binary_threshold=4, implicit_threshold=4)
