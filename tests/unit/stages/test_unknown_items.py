"""Items of a run that the dataset does not have: each keeps its place and is never a hit."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from truerank.artefacts import split as splits
from truerank.artefacts.files import read_table, write_table
from truerank.artefacts.test_instances import read_exact_ranks
from truerank.core.ranking import rank
from truerank.core.training import train
from truerank.metrics._core.judged import JudgedRanks
from truerank.models._core.base import Train
from truerank.provenance import generator
from truerank.ranking import exact
from truerank.ranking.order import order_key
from truerank.registry import METRICS
from truerank.stages.evaluate_metrics import evaluate_metrics
from truerank.stages.evaluate_shard import evaluate_shard
from truerank.stages.rank_items import rank_items
from truerank.stages.rank_shard import rank_shard
from truerank.stages.train_model import train_model

from tests.ranked import POLICIES, python_hash
from tests.support import run_stage

N_USERS, N_ITEMS, SEED, NAMES = 4, 7, 3, ("toy", "holdout", "theirs")
RUN = {"kind": "run", "path": "run.csv"}
KEY = int(order_key(generator(SEED, "rank_items", *NAMES[:2])))
HISTORY = Train(np.array([0, 1, 2, 3]), np.array([0, 1, 2, 3]), N_USERS, N_ITEMS)


def ordered(user, rows, tests, policy, rule="unseen", tested=()):
    """Return all that is ranked for a user from first to last. rows : item -> score; tests : item -> rating."""

    def place(item):
        rating = tests.get(item)
        tie = {
            "random": (),
            "optimistic": (1, 0) if rating is None else (0, -rating),
            "pessimistic": (0, 0) if rating is None else (1, rating),
        }[policy]
        unlisted = item not in rows and rating is not None
        return (-rows.get(item, -math.inf), unlisted, *tie, python_hash(KEY, user, item))

    candidates = set(tested) if rule == "tested" else {*range(N_ITEMS), *rows}
    own = set() if rule == "all" else set(HISTORY.item[HISTORY.user == user].tolist())
    return sorted(candidates - own, key=place)


@st.composite
def runs(draw):
    """Draw scores of known and unknown items, {user: {item: score}}, unknown ones from N_ITEMS on, and test ratings."""
    score = st.sampled_from([0.0, 1.0, 2.0, 3.5])
    rows = {user: draw(st.dictionaries(st.integers(0, N_ITEMS + 5), score, max_size=12)) for user in range(N_USERS)}
    rows[0][4] = 1.0  # somebody lists something
    rating = st.sampled_from([1.0, 2.0])
    free = {user: sorted(set(range(N_ITEMS)) - {user}) for user in range(N_USERS)}
    tests = {
        user: draw(st.dictionaries(st.sampled_from(free[user]), rating, min_size=1, max_size=4))
        for user in range(N_USERS)
    }
    return rows, tests


def table_of(rows):
    return [np.array(column) for column in zip(*((u, i, x) for u in rows for i, x in rows[u].items()), strict=True)]


def ranked(rows, tests, policy, depth=100, rule="unseen"):
    user, item, score = table_of(rows)
    test = splits.TestRows(
        *(column.astype(np.int32) for column in table_of({u: dict(sorted(tests[u].items())) for u in tests}))
    )
    history = Train(**{**vars(HISTORY), "given": (user, item, score.astype(np.float32))})
    model = train(RUN, history, NAMES, SEED)
    return rank(model, history, test, NAMES, SEED, policy, depth, candidates=rule)


@settings(deadline=None)
@given(runs(), st.sampled_from(POLICIES), st.sampled_from([2, 5, 100]), st.sampled_from(["unseen", "all", "tested"]))
def test_ranks_lists_and_metrics_are_those_of_sorted_lists(case, policy, depth, rule):
    rows, tests = case
    table, lists = ranked(rows, tests, policy, depth, rule)
    tested = {item for own in tests.values() for item in own}
    orders = {user: ordered(user, rows[user], tests[user], policy, rule, tested) for user in rows}
    for t, (user, item) in enumerate(zip(table.user, table.item, strict=True)):
        order, own = orders[user], rows[user]
        assert table.above[t] + table.before[t] == order.index(item)
        assert table.candidates[t] == len(order)
        others = [own.get(other, -math.inf) for other in order if other != item]
        assert table.above[t] == sum(other > own.get(item, -math.inf) for other in others)
        assert table.tied[t] == sum(other == own.get(item, -math.inf) for other in others)
    expected = [
        (user, place, item)
        for user, order in orders.items()
        for place, item in enumerate(order[:depth], start=1)
        if item in rows[user] and item < N_ITEMS
    ]
    assert list(zip(lists.user, lists.position, lists.item, strict=True)) == expected
    judged = JudgedRanks(table.user, 1 + table.above + table.before, np.ones(len(table.user), bool), table.candidates)
    for k in (1, 3, 5):
        hits = {user: [place for place, item in enumerate(orders[user][:k], 1) if item in tests[user]] for user in rows}
        ideal = [sum(1 / math.log2(place + 1) for place in range(1, min(k, len(tests[user])) + 1)) for user in rows]
        gained = [sum(1 / math.log2(place + 1) for place in hits[user]) for user in rows]
        by_hand = {
            "recall": [len(hits[user]) / len(tests[user]) for user in rows],
            "ndcg": np.divide(gained, ideal),
            "rr": [1 / hits[user][0] if hits[user] else 0 for user in rows],
        }
        for name, values in by_hand.items():
            found = METRICS[name].make(judged, k=np.array([k]))
            np.testing.assert_allclose(np.ravel(found), values, atol=1e-12, err_msg=f"{name}@{k}")


@pytest.fixture
def files(tmp_path):
    """A split of four users and seven items in a folder, one test item each, and a run that a test writes."""
    pair = {"user": HISTORY.user.astype(np.int32), "item": HISTORY.item.astype(np.int32)}
    blank = np.full(N_USERS, np.nan, np.float32)
    write_table(tmp_path / "train", pair | {"rating": blank})
    write_table(tmp_path / "test", pair | {"item": np.array([6, 6, 6, 6], np.int32), "rating": blank})
    for name, n in (("users", N_USERS), ("items", N_ITEMS)):
        write_table(tmp_path / name, {"code": np.arange(n, dtype=np.int32), "id": [f"{name[0]}{i}" for i in range(n)]})
    (tmp_path / "summary.json").write_text('{"rating_scale": null}')
    return tmp_path


def through_stages(folder, lines, shards=1):
    """Write a run, and rank and evaluate it by shards; return the paths of ranks, lists and the values per user."""
    (folder / "run.csv").write_text("user,item,score\n" + "\n".join(lines) + "\n")
    model = RUN | {"path": str(folder / "run.csv")}
    split = {name: folder / name for name in ("train", "test")} | {"facts": folder / "summary.json"}
    split |= {"user_table": folder / "users", "item_table": folder / "items"}
    outputs = {"model": folder / "model", "training": folder / "training"}
    run_stage(train_model, split | {"tuning": []}, outputs, NAMES, model=model, seed=SEED)
    parts = {kind: [folder / f"{kind}.{shards}.{n}" for n in range(shards)] for kind in ("rank_shards", "list_shards")}
    rule = {"model": model, "ties": "random", "depth": 100, "seed": SEED, "shards": shards, "candidates": "unseen"}
    for number in range(shards):
        one = {kind: paths[number] for kind, paths in parts.items()}
        run_stage(rank_shard, split | {"model": folder / "model"}, one, (*NAMES, str(number)), **rule)
    joined = {kind: folder / f"{kind}.{shards}" for kind in ("ranks", "lists")}
    run_stage(rank_items, parts, joined)
    metrics = {name: {"kind": name} for name in ("recall", "ndcg", "rr", "coverage")}
    rule = {"metrics": metrics, "cutoffs": [10, 11], "relevance": {"threshold": 4}, "model_names": ["theirs"]}
    inputs = split | {kind: [path] for kind, path in joined.items()}
    run_stage(evaluate_shard, inputs, {"metric_shards": folder / "metrics"}, (*NAMES[:2], "0"), shards=1, **rule)
    values = {"per_user": folder / "per_user", "summary": folder / "means"}
    run_stage(
        evaluate_metrics, inputs | {"metric_shards": [folder / "metrics"]}, values, undefined_users="zero", **rule
    )
    return joined, read_table(folder / "per_user")


TEN = [f"u0,x{n},{20 - n}" for n in range(10)]


def test_a_hit_behind_ten_unknown_items_has_rank_eleven(files):
    joined, values = through_stages(files, [*TEN, "u0,i6,1", "u1,i6,1", "nobody,i6,1"])
    ranks, lists = read_table(joined["ranks"]), read_table(joined["lists"])
    assert (1 + ranks["above"] + ranks["before"]).tolist() == [11, 1, 6, 6]
    assert ranks["candidates"].tolist() == [16, 6, 6, 6]
    assert lists[["user", "position", "item"]].to_numpy().tolist() == [[0, 11, 6], [1, 1, 6]]
    assert values["recall@10"].iloc[:2].tolist() == [0, 1]
    assert values["recall@11"].iloc[:2].tolist() == [1, 1]
    assert values["rr@11"].iloc[0] == pytest.approx(1 / 11)
    assert values["ndcg@11"].iloc[0] == pytest.approx(1 / math.log2(12))


def test_a_test_item_that_is_not_listed_is_behind_all_unknown_ones(files):
    joined, _ = through_stages(files, [*TEN, "u0,i5,1"])
    ranks = read_table(joined["ranks"])
    assert (1 + ranks["above"] + ranks["before"])[0] == ranks["candidates"][0] == 16


def test_shards_and_blocks_change_no_byte(files, monkeypatch):
    lines = [f"u{u},{kind}{n},{(7 * u + 5 * n) % 4}" for u in range(N_USERS) for n in range(7) for kind in "ix"]
    found = []
    for rows, shards in ((512, 1), (1, 1), (1, 3), (2, 50)):
        monkeypatch.setattr(exact, "FEWEST_ROWS", 1)
        monkeypatch.setattr(exact, "MOST_ROWS", rows)
        joined, _ = through_stages(files, lines, shards)
        found.append([path.read_bytes() for path in joined.values()])
    assert all(other == found[0] for other in found)


def test_candidates_of_sampling_are_those_of_the_model_that_has_most(files):
    joined, _ = through_stages(files, [*TEN, "u0,i6,1"])
    more = joined["ranks"].rename(files / "more")
    joined, _ = through_stages(files, ["u0,i6,1"])
    for paths in ([more, joined["ranks"]], [joined["ranks"], more]):
        found = read_exact_ranks(paths, {"threshold": 4})
        assert found.candidates.tolist() == [16, 6, 6, 6]
        assert (found.rank <= found.candidates).all()
