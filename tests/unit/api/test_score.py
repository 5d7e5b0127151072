"""``tr.score``: exact metrics from few scores, within a budget, from a cache, and what it says of mistakes."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
import truerank as tr
from scipy import sparse
from truerank.artefacts.rank_table import judgements
from truerank.core.evaluation import evaluate_by_rule
from truerank.models._core.base import Train
from truerank.provenance import generator
from truerank.ranking.exact import rank_items
from truerank.ranking.order import order_key, tie_hashes

METRICS = ["recall@10", "ndcg@5", "ap@10", "precision@3", "hit@1"]


class World:
    """Users with three test items each, rated, and a model with many ties; ids are texts."""

    def __init__(self, n_users=120, n_items=150, seed=3):
        rng = np.random.default_rng(seed)
        self.scores = np.round(rng.normal(size=(n_users, n_items)) + 1.5 * rng.normal(size=n_items), 1)
        chosen = np.argsort(-(self.scores + rng.gumbel(size=self.scores.shape)), axis=1)
        self.held, self.own = np.sort(chosen[:, 40:43]), chosen[:, :10]
        self.rating = rng.integers(3, 6, self.held.shape).astype(float)
        self.users = np.array([f"u{user:03}" for user in range(n_users)], object)
        self.items = np.array([f"i{item:03}" for item in range(n_items)], object)
        self.train, self.test = self.rows(self.own), self.rows(self.held, self.rating)
        self.place = {name: code for ids in (self.users, self.items) for code, name in enumerate(ids)}
        self.calls = []

    def rows(self, items, rating=None):
        user = np.repeat(np.arange(len(items)), items.shape[1])
        rows = pd.DataFrame({"user": self.users[user], "item": self.items[items.ravel()]})
        return rows if rating is None else rows.assign(rating=rating.ravel())

    def scorer(self, user, items):
        self.calls += [(user, item) for item in items]
        return [self.scores[self.place[user], self.place[item]] for item in items]

    def evaluate(self, metrics=METRICS, scorer=None, **settings):
        settings = {"items": self.items, **settings}
        return tr.score(scorer or self.scorer, self.train, self.test, metrics, **settings)

    def full(self, metrics, seed=1, ties="random"):
        """The metrics by ranking everything."""
        n_users, n_items = self.scores.shape
        user = np.repeat(np.arange(n_users), 3)
        history = Train(np.repeat(np.arange(n_users), 10), self.own.ravel(), n_users, n_items)
        key = order_key(generator(seed, "rank"))
        placed = tie_hashes(ties, key, user, self.held.ravel(), self.rating.ravel())
        scores = self.scores.astype(np.float32)
        ranking = rank_items(lambda b: scores[b], history.matrix, user, self.held.ravel(), key, placed)
        rank = 1 + ranking.above + ranking.before
        candidates = np.full(len(user), n_items - 10)
        judged = judgements(user, rank, candidates, self.rating.ravel(), None, history, (3.0, 5.0))
        named = {name.partition("@")[0]: {"kind": name.partition("@")[0]} for name in metrics}
        found = evaluate_by_rule(judged, named, [1, 3, 5, 10], {"threshold": 4})
        return [np.nan_to_num(found[name]).mean() for name in metrics]


@pytest.fixture
def world():
    return World()


@pytest.mark.parametrize("ties", ["random", "optimistic", "pessimistic"])
@pytest.mark.parametrize("proxy", ["popularity", "item_knn", "run", "array", "table"])
def test_exact_mode_is_a_full_ranking_with_fewer_scores(world, ties, proxy, tmp_path):
    rng = np.random.default_rng(0)
    noisy = world.scores + rng.normal(size=world.scores.shape)
    run = tmp_path / "run.csv"
    run.write_text(
        "user,item,score\n" + "".join(f"u{u:03},i{i:03},{noisy[u, i]}\n" for u in range(50) for i in range(40))
    )
    given = {"run": run, "array": world.scores.mean(axis=0), "table": noisy}.get(proxy, proxy)
    found = world.evaluate(proxy=given, exact=True, ties=ties)
    assert found.estimates["estimate"].tolist() == pytest.approx(world.full(METRICS, ties=ties), abs=1e-12)
    assert (found.estimates["bound_low"] == found.estimates["bound_high"]).all()
    assert found.estimates["ci_low"].isna().all()
    assert found.decided == 1
    assert len(set(world.calls)) == len(world.calls) == round(found.scores_per_user * 120)
    assert found.scores_per_user < 0.8 * 140
    assert list(found.per_user.columns) == ["user", *METRICS]


def test_order_batches_and_the_map_change_nothing(world):
    wanted = world.evaluate(budget=60)
    shuffled = world.train.sample(frac=1, random_state=2), world.test.sample(frac=1, random_state=2)
    assert tr.score(world.scorer, *shuffled, METRICS, budget=60, items=world.items).to_json() == wanted.to_json()
    assert world.evaluate(budget=60, batch=1).to_json() == wanted.to_json()
    with ThreadPoolExecutor(3) as pool:
        found = world.evaluate(budget=60, map=pool.map)
    assert found.to_json() == wanted.to_json()


@pytest.mark.slow
def test_a_budget_is_kept_and_bounds_hold(world):
    exact = world.full(METRICS)
    for budget in (3, 4, 20, 50, 70, 100):
        for audit in (0, 0.4):
            world.calls.clear()
            found = world.evaluate(budget=budget, audit=audit)
            table = found.estimates
            assert len(set(world.calls)) == len(world.calls) == round(found.scores_per_user * 120)
            assert found.scores_per_user <= budget or audit
            assert (table["bound_low"] <= np.array(exact) + 1e-12).all()
            assert (table["bound_high"] >= np.array(exact) - 1e-12).all()
            assert table["ci_low"].isna().all() == (audit == 0 and found.decided < 1) or budget < 5


def test_a_proxy_that_does_not_lift_is_not_followed(world):
    found = world.evaluate(["recall@5"], proxy=-world.scores.mean(axis=0), budget=60)
    assert any("drawn uniformly" in note and "lift" in note for note in found.notes)
    found = world.evaluate(["recall@20"], budget=60)
    assert any("drawn uniformly" in note and "below 5 scores" in note for note in found.notes)


def test_a_killed_run_goes_on_from_its_cache(world, tmp_path):
    cache = tmp_path / "scores.jsonl"

    class Killed(BaseException):
        pass

    def dies(user, items):
        if len(world.calls) > 2000:
            raise Killed
        return world.scorer(user, items)

    with pytest.raises(Killed):
        world.evaluate(scorer=dies, exact=True, cache=cache)
    with cache.open("ab") as file:
        file.write(b'["u001", ["i0')  # half a line
    first = len(world.calls)
    found = world.evaluate(exact=True, cache=cache)
    assert len(set(world.calls)) == len(world.calls) == round(found.scores_per_user * 120) > first
    assert found.estimates["estimate"].tolist() == pytest.approx(world.full(METRICS), abs=1e-12)
    world.calls.clear()
    again = world.evaluate(exact=True, cache=cache)
    assert again.to_json() == found.to_json()
    assert not world.calls
    assert json.loads(cache.read_bytes().splitlines()[0]) == {"truerank": "scores", "version": 1}


def with_item(value, at="i020"):
    def scorer(user, items):
        return [value if (user, item) == ("u007", at) else 0.0 for item in items]

    return scorer


def fails(user, items):
    if user == "u007":
        raise ConnectionError("no answer")
    return np.zeros(len(items))


@pytest.mark.parametrize(
    ("scorer", "told"),
    [
        (
            lambda user, items: np.zeros(len(items) - 1),
            r"returned \d+ scores for user 'u000' and \d+ items, expected one",
        ),
        (lambda user, items: None, "returned None for user 'u000'"),
        (lambda user, items: np.zeros((len(items), 2)), r"returned an array of shape \(\d+, 2\) for user 'u000'"),
        (lambda user, items: ["high"] * len(items), "expected an array of numbers"),
        (with_item(np.nan), "returned nan for user 'u007', item 'i020', expected a finite number"),
        (with_item(-np.inf), "returned -inf for user 'u007', item 'i020'"),
        (with_item(1e300), "returned 1e.300 for user 'u007', item 'i020'"),
        (fails, "raised ConnectionError for user 'u007', item 'i.*' and 2 more: no answer"),
    ],
)
def test_a_scorer_that_fails_is_told_by_user_and_item(world, scorer, told):
    world.own[7] = np.setdiff1d(np.arange(150), [20, *world.held[7]])[:10]
    world.train = world.rows(world.own)
    with pytest.raises(tr.UserError, match=told):
        world.evaluate(["recall@140"], scorer, exact=True, proxy=np.arange(150.0))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"budget": 0.5}, "budget is 0.5, expected 1 score per user or more"),
        ({"budget": np.nan}, "budget is nan"),
        ({"budget": np.inf}, "budget is inf, expected 1 score per user or more; correct it, or give exact=True"),
        ({"budget": "many"}, "budget is 'many'"),
        ({"audit": None}, "audit is None"),
        ({"batch": 2.5}, "batch is 2.5, expected a whole number"),
        ({"map": 3}, "map is 3, expected a function"),
        ({"cache": 3}, "cache is 3, expected the path of a file"),
        ({"items": ["i000"]}, "items lacks 'i.*', which train or test has"),
        ({"items": []}, "items is empty"),
        ({"items": 7}, "items is 7, and train and test have 1..; a scorer"),
        ({"relevance": "liked"}, "relevance.threshold is 'liked', expected a number or one of user_mean"),
        ({"relevance": {"least": 4}}, "key 'threshold' is missing from relevance"),
        ({"relevance": 9}, "the ratings of test go from 3 to 5, expected some that are relevant"),
        ({"budget": 2.5}, "budget is 2.5, and test has 3 items per user"),
        ({"audit": 1}, "audit is 1, expected a share"),
        ({"ties": "last"}, "unknown ties 'last'"),
        ({"batch": 0}, "batch is 0"),
        ({"metrics": ["recall@141"]}, "the largest cut-off is 141, and user 'u000' has 140 candidates"),
        ({"metrics": ["recall"]}, "cannot be read, expected recall@10"),
        ({"metrics": ["auc"]}, "auc@all needs the whole ranking"),
        ({"metrics": ["mrr"]}, "needs the whole ranking"),
        ({"metrics": []}, "metrics is empty"),
        ({"proxy": np.full(150, np.nan)}, "the proxy has a score for no item"),
        ({"proxy": {"nobody": {"nothing": 1.0}}}, "the proxy has a score for no item"),
        ({"proxy": np.zeros(7)}, "proxy has the shape"),
        ({"proxy": "popularty"}, "proxy: unknown model 'popularty', did you mean 'popularity'"),
        ({"proxy": None}, "proxy is None, expected the name or definition of a model, a run"),
        ({"proxy": "no_such.csv"}, "no_such.csv does not exist"),
        ({"proxy": {"kind": "ials", "factrs": 4}}, "unknown key in .* 'factrs', did you mean 'factors'"),
        ({"proxy": {"i001": "high"}}, "proxy: the column of score cannot be read as numbers"),
        ({"proxy": {"u001": {"i001": None}}}, "has no column of scores or ranks"),
    ],
)
def test_mistakes_are_told_in_one_sentence(world, settings, told):
    with pytest.raises(tr.UserError, match=told):
        world.evaluate(**{"metrics": ["recall@10"], **settings})
    assert not world.calls


def test_a_cache_that_is_none_is_refused(world, tmp_path):
    cache = tmp_path / "scores.jsonl"
    cache.write_text("user,item\n1,2\n")
    with pytest.raises(tr.UserError, match=r"line 1: 'user,item' is no line of a cache"):
        world.evaluate(["recall@10"], cache=cache)
    with pytest.raises(tr.UserError, match="cannot be used: is a directory"):
        world.evaluate(["recall@10"], cache=tmp_path)


def test_rows_that_cannot_be_used_are_told_in_one_sentence(world, tmp_path):
    unrated = world.test.drop(columns="rating")
    for train, test, told in (
        (tmp_path / "no.csv", world.test, "no.csv does not exist"),
        (world.train[:0], world.test, "train has no rows"),
        (world.train, world.test[:0], "test has no rows"),
        (world.train.rename(columns={"user": "who"}), world.test, "train, column of user"),
        (world.train.assign(item=None), world.test, "train, row 1: found no item"),
        (pd.concat([world.train, unrated[:2]]), unrated, "both have the item 'i.*' of the user 'u000', and 2 such"),
        (world.train, pd.concat([world.test, world.test[:1]]), "found the item 'i.*' twice for the user 'u000'"),
    ):
        with pytest.raises(tr.UserError, match=told):
            tr.score(world.scorer, train, test, ["recall@5"])
    with pytest.raises(tr.UserError, match="scorer is None, expected a function"):
        tr.score(None, world.train, world.test, ["recall@5"])
    assert not world.calls


def test_a_scorer_gets_the_ids_of_its_owner(tmp_path):
    """Ids as frames, dictionaries and matrices have them; text of a file that is all numbers is numbers."""
    rng = np.random.default_rng(5)
    rows = np.argwhere(rng.random((30, 20)) < 0.4)
    held = rows[np.sort(np.unique(rows[:, 0], return_index=True)[1])]
    train = np.array([row for row in rows.tolist() if row not in held.tolist()])
    frames = [pd.DataFrame(each, columns=["user", "item"]) for each in (train, held)]
    texts = [frame.map("0{}".format) for frame in frames]
    digits = [frame.map(str) for frame in frames]
    floats = [frame.astype(float) for frame in frames]
    paths = [tmp_path / "train.csv", tmp_path / "test.csv"]
    for frame, path in zip(frames, paths, strict=True):
        frame.to_csv(path, index=False)
    lists = [{user: own["item"].tolist() for user, own in frame.groupby("user")} for frame in digits]
    matrices = [sparse.coo_matrix((np.ones(len(each)), each.T), (30, 20)) for each in (train, held)]
    given = {"01": texts, "2": digits, 3.0: floats, 4: frames, 5: paths, "6": lists, 7: matrices}
    wanted = None
    for form, data in given.items():
        kinds = set()

        def scorer(user, items, kinds=kinds):
            kinds.update([type(user), *map(type, np.asarray(items, object).tolist())])
            return [((int(float(user)) + 1) * (int(float(item)) + 3) * 7919) % 101 for item in items]

        found = tr.score(scorer, *data, ["recall@3", "rr@3"], exact=True, ties="pessimistic")
        assert kinds == {type(form)}, form
        wanted = wanted or found.estimates["estimate"].tolist()
        assert found.estimates["estimate"].tolist() == pytest.approx(wanted, rel=1e-12), form
        assert type(found.per_user["user"].tolist()[0]) is type(form)


@pytest.mark.slow
def test_a_proxy_may_be_a_run_in_any_form(world, tmp_path):
    rng = np.random.default_rng(0)
    noisy = (world.scores + rng.normal(size=world.scores.shape)).round(6)
    rows = [(f"u{u:03}", f"i{i:03}", noisy[u, i]) for u in range(50) for i in range(40)]
    frame = pd.DataFrame([*rows, ("nobody", "i001", 1.0)], columns=["user", "item", "score"])
    frame.to_csv(tmp_path / "run.csv", index=False)
    frame.to_parquet(tmp_path / "run.parquet")
    nested = {user: dict(zip(own["item"], own["score"], strict=True)) for user, own in frame.groupby("user")}
    lists = {user: own.sort_values("score", ascending=False)["item"].tolist() for user, own in frame.groupby("user")}
    asked = []
    for proxy in (frame, tmp_path / "run.csv", str(tmp_path / "run.parquet"), nested, lists):
        world.calls.clear()
        world.evaluate(proxy=proxy, exact=True)
        asked.append(sorted(world.calls))
    assert all(each == asked[0] for each in asked)
    by_item = dict(zip(world.items, world.scores.mean(axis=0), strict=True))
    for proxy in (by_item, pd.Series(by_item), world.scores.mean(axis=0)):
        world.calls.clear()
        world.evaluate(proxy=proxy, exact=True)
        asked.append(sorted(world.calls))
    assert asked[-1] == asked[-2] == asked[-3] != asked[0]
