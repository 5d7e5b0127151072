"""Where test items stand in lists, against lists that are written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from truerank.provenance import generator
from truerank.ranking.positions import UNLISTED, ListError, Positions, ScatteredError, Sought


@st.composite
def cases(draw):
    """Draw test items, training items and lists of up to six users, in which some items are not known."""
    n_users, n_known = draw(st.integers(1, 6)), 12
    items = st.integers(0, n_known - 1)
    tests = {u: draw(st.sets(items, min_size=1, max_size=4)) for u in range(n_users)}
    train = {u: draw(st.sets(items, max_size=4)) - tests[u] for u in range(n_users)}
    everything = st.lists(st.integers(0, n_known + 5), unique=True, max_size=10)
    lists = {u: draw(everything) for u in draw(st.permutations(range(-1, n_users)))}
    return n_known, tests, train, lists


def sought_of(n_known, tests, train):
    rows = np.array([(u, i) for u, own in sorted(tests.items()) for i in sorted(own)])
    trained = np.array([(u, i) for u, own in train.items() for i in own], int).reshape(-1, 2)
    return Sought(len(tests), n_known, *rows.T, np.zeros(len(rows)), *trained.T)


def slow(tests, train, lists):
    """Cross out what the user has in training, and count along the list."""
    found = []
    for user, own in sorted(tests.items()):
        left = [item for item in lists.get(user, []) if item not in train[user]]
        found += [1 + left.index(item) if item in left else UNLISTED for item in sorted(own)]
    return found


@given(case=cases(), gaps=st.booleans(), by=st.sampled_from(["rank", "score", "both"]), shuffle=st.integers(0, 9))
def test_counting_along_the_lists(case, gaps, by, shuffle):
    n_known, tests, train, lists = case
    rows = [
        (user, item, place if not gaps else 2 * place)
        for user, own in lists.items()
        for place, item in enumerate(own, start=1)
    ]
    if gaps:  # a list that lacks every other place, where an item was left out: others keep theirs
        lists = {user: [x for item in own for x in (1000 + item, item)] for user, own in lists.items()}
    rng = np.random.default_rng(shuffle)
    blocks = [[row for row in rows if row[0] == user] for user in lists]
    rows = [block[place] for block in blocks for place in rng.permutation(len(block))]
    user, item, rank = np.array(rows, int).reshape(-1, 3).T
    given_rank, score = (rank if by != "score" else None), (None if by == "rank" else -rank.astype(float))
    if by == "score" and gaps:
        return  # scores have no gaps
    found = Positions(sought_of(n_known, tests, train), "random", generator(1, "test"))
    hashes = np.arange(50, dtype=np.uint64)
    found.add(user, item, given_rank, score, hashes, hashes)
    assert found.rank.tolist() == slow(tests, train, lists)
    assert found.n_rows == sum(row[0] >= 0 for row in rows)
    unknown = [sum(n_known <= i < 1000 for i in lists.get(u, [])) for u in sorted(tests)]
    assert found.n_unknown.tolist() == unknown


@pytest.mark.parametrize(("ties", "expected"), [("optimistic", [1, 2]), ("pessimistic", [4, 3])])
def test_ties_of_scores_by_policy(ties, expected):
    """Four items of one score, two of them test items, the first rated higher."""
    none = np.empty(0, int)
    sought = Sought(1, 4, np.array([0, 0]), np.array([1, 2]), np.array([5.0, 3.0]), none, none)
    found = Positions(sought, ties, generator(1, "test"))
    found.add(np.zeros(4, int), np.arange(4), None, np.ones(4), np.arange(1, dtype="u8"), np.arange(4, dtype="u8"))
    assert found.rank.tolist() == expected


def test_ties_at_random_are_fair_and_do_not_depend_on_the_order_of_rows():
    n = 4000
    none = np.empty(0, int)
    sought = Sought(n, 4, np.arange(n), np.zeros(n, int), np.zeros(n), none, none)
    user, item = np.repeat(np.arange(n), 4), np.tile(np.arange(4), n)
    hashes = np.arange(n, dtype="u8"), np.arange(4, dtype="u8")
    ranks = []
    for order in (item, 3 - item):
        found = Positions(sought, "random", generator(3, "test"))
        found.add(user, order, None, np.zeros(4 * n), *hashes)
        ranks.append(found.rank)
    np.testing.assert_array_equal(*ranks)
    assert np.bincount(ranks[0])[1:] / n == pytest.approx([0.25] * 4, abs=0.03)


@pytest.mark.parametrize(
    ("kind", "item", "rank", "score"),
    [
        ("item", [1, 2, 1], [1, 2, 3], None),
        ("place", [1, 2, 3], [1, 2, 2], None),
        ("order", [1, 2], [1, 2], [0.1, 0.2]),
    ],
)
def test_what_is_wrong_with_a_list(kind, item, rank, score):
    none = np.empty(0, int)
    sought = Sought(1, 4, np.array([0]), np.array([1]), np.zeros(1), none, none)
    found = Positions(sought, "random", generator(1, "test"))
    with pytest.raises(ListError) as told:
        found.add(np.zeros(len(item), int), np.array(item), np.array(rank), None if score is None else np.array(score))
    assert told.value.kind == kind
    assert told.value.user == 0


def test_scattered_rows_are_noticed_within_a_part_and_between_parts():
    none = np.empty(0, int)
    sought = Sought(2, 4, np.array([0, 1]), np.array([1, 1]), np.zeros(2), none, none)
    found = Positions(sought, "random", generator(1, "test"))
    with pytest.raises(ScatteredError):
        found.add(np.array([0, 1, 0]), np.arange(3), np.ones(3, int), None)
    found = Positions(sought, "random", generator(1, "test"))
    found.add(np.array([0, 1]), np.arange(2), np.ones(2, int), None)
    with pytest.raises(ScatteredError):
        found.add(np.array([0]), np.array([3]), np.array([2]), None)
