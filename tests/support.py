"""Helpers that several test files use: the default study, toy interactions, and ranked lists written out in full."""

import copy
import functools
import inspect
import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import yaml
from hypothesis import strategies as st
from scipy import sparse
from truerank.config.merging import merged
from truerank.config.validation import Validator
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.listed import Catalogue, TopLists
from truerank.models._core.base import Train
from truerank.provenance import generator

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "workflow" / "truerank"


def load_yaml(path):
    return yaml.safe_load(Path(path).read_text(encoding="utf-8"))


def for_each(names, values):
    """Run a test with each of the values in turn, as one case; a failure has a note of the values that it is about.

    names : of the test's arguments, as ``pytest.mark.parametrize`` has them. Fixtures are the same in every turn.
    """
    names, values = (names,) if isinstance(names, str) else tuple(names), list(values)
    assert values, "no case"

    def in_turn(test):
        @functools.wraps(test)
        def every(**fixtures):
            for value in values:
                of_turn = dict(zip(names, (value,) if len(names) == 1 else value, strict=True))
                try:
                    test(**fixtures, **of_turn)
                except BaseException as failure:
                    failure.add_note(f"with {of_turn}")
                    raise

        signature = inspect.signature(test)
        fixtures = [parameter for name, parameter in signature.parameters.items() if name not in names]
        every.__signature__ = signature.replace(parameters=fixtures)
        return every

    return in_turn


@functools.cache
def merged_defaults():
    return merged({})[0]


def default_study():
    """Return the default study as the workflow runs it, to be changed at will."""
    return copy.deepcopy(merged_defaults())


def examples(schema):
    """Return some values that the JSON schema of a setting admits, those at its limits among them."""
    if "anyOf" in schema:
        return [value for form in schema["anyOf"] if form.get("type") != "null" for value in examples(form)]
    if schema.get("type") == "boolean":
        return [False, True]
    if schema.get("type") not in ("integer", "number"):
        return schema.get("enum", [])
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is None:
        tried = [-20, 0, 3, 20]
    elif high is None:
        tried = [low, low + 0.01, low + 1, low + 8]
    else:
        tried = [low, (low + high) / 2, low + 0.99 * (high - low), high]
    return [value for value in tried if Validator(schema).is_valid(value)]


# Models


def train_of(pairs, n_users, n_items, rating=None, context=None):
    """Return a Train of (user, item) pairs, sorted as the split writes them; the context is 1 if not given."""
    pairs = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)
    context = np.ones((n_users, 1), np.float32) if context is None else context
    return Train(pairs[:, 0], pairs[:, 1], n_users, n_items, rating, context)


def block_train(n_blocks=3, users=8, items=8, rating=False, disliked=0):
    """Return users who have most items of their own block; also each user's block and each item's.

    The last two items of each user's block, counted from the user's own offset, are left out, to be recommended. With
    ratings, the user's block has 4 and 5, and ``disliked`` items of every other block have 1 and 2.
    """
    own_user, own_item = np.repeat(np.arange(n_blocks), users), np.repeat(np.arange(n_blocks), items)
    rows = {}
    for user, block in enumerate(own_user):
        for step in range(items - 2):
            rows[user, block * items + (user + step) % items] = 4 + (user + step // 2) % 2
        for other in set(own_item) - {block}:
            for step in range(disliked):
                rows[user, other * items + (user + step) % items] = 1 + (user + step) % 2
    ratings = np.array([rows[pair] for pair in sorted(rows)], np.float32) if rating else None
    return train_of(list(rows), len(own_user), len(own_item), ratings), own_user, own_item


def noisy_train(n_users=40, n_items=30, rating=False, seed=1):
    """Return random interactions and contexts; nobody has the last item, the last user none, the last but one one."""
    rng = np.random.default_rng(seed)
    taste = rng.random((n_users, n_items)) < 0.5 * rng.random(n_items)
    taste[:, -1] = False
    taste[-2] = False
    taste[-2, 0] = True
    taste[-1] = False
    pairs = np.argwhere(taste).tolist()
    ratings = rng.integers(1, 6, len(pairs)).astype(np.float32) if rating else None
    return train_of(pairs, n_users, n_items, ratings, rng.normal(size=(n_users, 3)).astype(np.float32))


def relabelled(train, user_code, item_code):
    """Return the same interactions with other codes: user u becomes user_code[u], item i becomes item_code[i]."""
    user, item = user_code[train.user], item_code[train.item]
    order = np.lexsort((item, user))
    rating = None if train.rating is None else train.rating[order]
    return Train(user[order], item[order], train.n_users, train.n_items, rating, train.context[np.argsort(user_code)])


def fitted(model, train, seed=7):
    """Return what ``model`` learns from ``train``."""
    return model.fit(train, generator(seed, "test"))


def all_scores(model, learnt, train):
    return model.scores(learnt, train, np.arange(train.n_users))


# Metrics: a table is {user: (candidates, {rank: rating})}; a rating of 4 or more is relevant.

CUTOFFS = np.array([1, 2, 3, 5, 10, 100, math.inf])


@st.composite
def tables(draw, most_users=5, most_candidates=30):
    """Draw rank tables: any ranks without ties, users without relevant items, users with one candidate."""
    codes = draw(st.lists(st.integers(0, 1000), min_size=1, max_size=most_users, unique=True))
    table = {}
    for code in codes:
        candidates = draw(st.integers(1, most_candidates))
        ranks = draw(st.sets(st.integers(1, candidates), min_size=1, max_size=12))
        table[code] = candidates, {rank: draw(st.integers(1, 5)) for rank in ranks}
    return table


def relevant(rating):
    return rating is not None and rating >= 4


def judged_of(table, shuffle=0):
    """Return the table as metrics take it, its rows in an order of no meaning, with ``predictions``."""
    rows = [(user, rank, rating, c) for user, (c, ratings) in table.items() for rank, rating in ratings.items()]
    rows = np.array(rows)[np.random.default_rng(shuffle).permutation(len(rows))]
    user, rank, rating, candidates = rows.T
    predicted = predictions(rank, candidates)
    return JudgedRanks(user, rank, rating >= 4, candidates, rating, predicted, scale=(1, 5))


def predictions(rank, candidates):
    """Predict half stars from 5 down to 1 along the list, so that neighbours often tie."""
    return np.round(2 * (5 - 4 * (np.asarray(rank) - 1) / np.asarray(candidates))) / 2


def ranked_lists(table):
    """Return, for users in order of their code, the whole list as a person would see it: a rating or None per place."""
    return [[ratings.get(place) for place in range(1, c + 1)] for _, (c, ratings) in sorted(table.items())]


def assert_matches(values, oracle, table, cutoffs=CUTOFFS):
    """Compare users x cut-offs with ``oracle(ranked list, k)``; None there means undefined."""
    assert values.shape == (len(table), len(cutoffs))
    expected = [[oracle(ranked, k) for k in cutoffs] for ranked in ranked_lists(table)]
    expected = np.array([[math.nan if value is None else value for value in row] for row in expected])
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)


def first(ranked, k):
    return ranked if math.isinf(k) else ranked[: int(k)]


def count_relevant(ranked):
    return sum(relevant(rating) for rating in ranked)


# Krichene & Rendle 2020, Table 1: ranks of the one relevant item among 10,000, and the printed figures.

TOY_RANKS = {
    "A": [100, 100, 100, 100, 100],
    "B": [40, 40, 8437, 9266, 4482],
    "C": [212, 2, 743, 5342, 1548],
}
TOY_FIGURES = {
    "A": {"auc": 0.990, "ap": 0.010, "ndcg": 0.150, "recall@10": 0.000},
    "B": {"auc": 0.555, "ap": 0.010, "ndcg": 0.122, "recall@10": 0.000},
    "C": {"auc": 0.843, "ap": 0.101, "ndcg": 0.208, "recall@10": 0.200},
}


def toy(recommender):
    return judged_of({user: (10_000, {rank: 5}) for user, rank in enumerate(TOY_RANKS[recommender])})


# Predictions and lists: what one user rated and was predicted, and top lists of a made-up catalogue.


def rated(ratings, predicted, scale=None, relevant=None):
    """Return one user's test items, ranked by prediction; relevant from 4, if not said otherwise."""
    ratings, predicted = np.array(ratings, float), np.array(predicted, float)
    rank = np.empty(len(ratings), int)
    rank[np.argsort(-predicted, kind="stable")] = np.arange(1, len(ratings) + 1)
    relevant = ratings >= 4 if relevant is None else np.array(relevant)
    one = np.zeros(len(ratings), int)
    return JudgedRanks(one, rank, relevant, np.full(len(ratings), 100), ratings, predicted, scale=scale)


@st.composite
def rated_users(draw, most_users=4, most_items=9, levels=(1, 2, 3, 4, 5)):
    """Draw {user: (ratings, predictions)} full of ties, with users of one item and constant users."""
    numbers = st.sampled_from([*levels, 1.5, 2.25])
    n = draw(st.integers(1, most_users))
    lengths = [draw(st.integers(1, most_items)) for _ in range(n)]
    values = lambda source, length: draw(st.lists(source, min_size=length, max_size=length))  # noqa: E731
    return [(values(st.sampled_from(levels), length), values(numbers, length)) for length in lengths]


def judged_of_rated(users):
    """Return users' ratings and predictions as metrics take them."""
    parts = [rated(*user) for user in users]
    user = np.repeat(np.arange(len(parts)), [len(part.row) for part in parts])
    join = lambda name: np.concatenate([getattr(part, name) for part in parts])  # noqa: E731
    return JudgedRanks(
        user, join("rank"), join("relevant"), np.full(len(user), 100), join("rating"), join("prediction"), scale=(1, 5)
    )


@st.composite
def catalogues(draw, most_users=6, most_items=12):
    """Draw training ratings with items that nobody has, and genres with items that have none."""
    n_users, n_items = draw(st.integers(1, most_users)), draw(st.integers(1, most_items))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    ratings = rng.integers(1, 6, (n_items, n_users)) * (rng.random((n_items, n_users)) < 0.5)
    labels = rng.random((n_items, 3)) < 0.4
    return Catalogue(sparse.csr_matrix(ratings.astype(float)), sparse.csr_matrix(labels.astype(float)))


@st.composite
def lists(draw, catalogue=None):
    """Draw top lists of some users of a catalogue, some cut short, some empty; relevant items are in and below them."""
    catalogue = draw(catalogues()) if catalogue is None else catalogue
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, depth = draw(st.integers(1, 5)), draw(st.integers(1, catalogue.n_items))
    item = np.array([rng.permutation(catalogue.n_items)[:depth] for _ in range(n)], np.int32)
    item[np.arange(depth) >= rng.integers(0, depth + 1, n)[:, None]] = -1
    judged = rng.random((n, catalogue.n_items)) < 0.4
    judged[:, 0] |= ~judged.any(axis=1)
    user, place = np.nonzero(judged)
    rating = rng.integers(1, 6, len(user))
    n_candidates = np.full(len(user), catalogue.n_items)
    return TopLists(item, JudgedRanks(user, place + 1, rating >= 4, n_candidates, rating), catalogue)


def run_stage(stage, inputs, outputs, names=("toy", "holdout", "mine"), threads=1, **settings):
    """Call a stage as the workflow does: what it reads, its settings and what it writes, by name."""
    settings |= {"names": names, "threads": threads}
    stage(*(SimpleNamespace(**named) for named in (inputs, settings, outputs)))
