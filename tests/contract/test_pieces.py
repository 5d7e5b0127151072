"""What every estimator, sampler, split and data source promises; one that is registered is tested here as it is.

Settings come from the schema: those that are required have the first value that it admits, and each setting is tried
with its other ones. The few that a piece refuses are named here.
"""

import inspect
from functools import cache
from operator import methodcaller

import numpy as np
import pytest
from truerank.config.validation import Validator
from truerank.datasets import Context
from truerank.errors import UserError
from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.informed_problem import InformedProblem
from truerank.estimators._core.problem import Problem
from truerank.informed.ahead import LinedUp
from truerank.provenance import generator
from truerank.registry import DATASETS, ESTIMATORS, SAMPLERS, SPLITS
from truerank.sampling._core.informed_sample import InformedSamples
from truerank.splits._core.rows import Rows

from tests.support import examples
from tests.unit.estimators.problems import CUTOFFS, METRICS, skilled
from tests.unit.sampling.drawing import drawing
from tests.unit.sampling.test_informed import models as what_models_put_ahead

N_ITEMS, N_INSTANCES = 300, 50
ANOTHER = "mle"  # the estimator that a setting in words names
NOT_CSV = ("tsv", "semicolon", "pipe", "double_colon", "parquet", "qrels", "json")
REFUSED = {  # with a sentence: settings that contradict others, or the data that pieces have here
    "adaptive": [{"start": 1}, {"limit": 1}, {"limit": 2}, {"limit": 9}],  # the default start is 100
    "file": [*({"format": form} for form in NOT_CSV), {"header": False}],
    "files": [*({"format": form} for form in NOT_CSV), {"header": False}],
    "global_time": [{}],  # a time, or a share of the rows, has to be set
    "synthetic": [{"users": 9, "items": 9, "interactions": few} for few in (1, 2)],  # fewer than users
}
COLUMNS = {"user": "who", "item": "what", "rating": "stars", "timestamp": "when"}
FILES = {  # what a data source reads files with, and the files by setting; of other sources nobody here knows the form
    "file": ({"columns": COLUMNS}, {"path": ("who,what,stars,when", ",")}),
    "files": ({"columns": COLUMNS}, {"train": ("who,what,stars,when", ","), "test": ("who,what,stars,when", ",")}),
    "recbole": ({}, {"inter": ("user_id:token\titem_id:token\trating:float\ttimestamp:float", "\t")}),
}


def entries(registry, keep=lambda entry: True):
    return pytest.mark.parametrize("entry", [pytest.param(each, id=each.name) for each in registry if keep(each)])


def definitions(registry, entry, **fixed):
    """Yield the piece with required settings alone, and with every example of each other setting."""
    properties = entry.schema["properties"]
    least = registry.named(entry.name) | fixed
    for name in entry.schema["required"]:
        least.setdefault(name, (examples(properties[name]) or [ANOTHER])[-1])
    yield least
    for name, schema in properties.items():
        yield from (least | {name: value} for value in examples(schema))


def twice(registry, entry, call, **fixed):
    """Yield a definition and what its piece gives, two times; just those of ``REFUSED`` end with a sentence."""
    refused = []
    for definition in definitions(registry, entry, **fixed):
        try:
            found = [call(registry.make(definition)) for _ in range(2)]
        except UserError:
            settings = registry.settings_of(definition)
            refused.append({name: value for name, value in settings.items() if name not in fixed})
            continue
        yield definition, *found
    assert refused == REFUSED.get(entry.name, [])


@pytest.mark.parametrize("registry", [DATASETS, SPLITS, SAMPLERS, ESTIMATORS], ids=lambda registry: registry.noun)
def test_every_piece_says_what_it_is_in_a_sentence(registry):
    for entry in registry:
        assert inspect.getdoc(entry.make), entry.name
        assert entry.sentence.endswith((".", ":")), entry.name
        assert set(entry.facts.inputs) <= set(entry.settings), entry.name


@entries(DATASETS, lambda entry: entry.facts.archives)
def test_public_data_names_its_licence_and_whom_to_cite(entry):
    assert entry.facts.licence
    assert entry.facts.citation


@cache
def lined_up():
    """Return what two models put ahead of the test items of some users."""
    return LinedUp.of(what_models_put_ahead(n_users=30))


def posed(takes):
    """Return the problem that samples of one form pose, and their shape: repeats, or models x repeats."""
    if takes == "informed":
        made = SAMPLERS.make({"kind": "informed", "budget": 20.0, "repeats": 2})(lined_up(), generator(1, "contract"))
        return InformedProblem(InformedSamples.whole(made), METRICS, CUTOFFS), (2, 2)
    if takes == "weighted ranks":
        instances, scorers, _ = drawing()
        made = SAMPLERS.make({"kind": "weighted", "negatives": 9, "repeats": 2})
        sample = made(instances, scorers, generator(1, "contract"))
        return Problem(60, histogram(sample.rank, sample.negatives), METRICS, CUTOFFS), (len(scorers), 2)
    rank, problem = skilled(N_ITEMS, 400, negatives=20, repeats=2)
    if takes == "ranks":
        return problem, (2,)
    assert takes == "sized ranks"
    made = SAMPLERS.make({"kind": "adaptive", "start": 10, "limit": 160, "repeats": 2})
    sample = made(rank[None], np.full(len(rank), N_ITEMS), generator(1, "contract"))
    return Problem(N_ITEMS, histogram(sample.rank, sample.negatives, sample.exact), METRICS, CUTOFFS), (1, 2)


@entries(ESTIMATORS)
def test_estimates_are_finite_one_per_repeat_and_column_and_the_same_again(entry):
    for takes in entry.facts.takes:
        problem, shape = posed(takes)
        prior = ESTIMATORS.make({"kind": "mle"}).fit(problem) if "prior" in entry.settings else None
        for definition, one, other in twice(ESTIMATORS, entry, methodcaller("estimate", problem, prior)):
            assert one.shape == (*shape, len(problem.columns)), definition
            assert np.isfinite(one).all(), definition
            np.testing.assert_array_equal(one, other)


@entries(SAMPLERS, lambda entry: entry.facts.needs == "ranks")
def test_samples_have_the_ranks_that_their_negatives_allow_and_are_the_same_again(entry):
    rng = np.random.default_rng(2)
    candidates = np.full(N_INSTANCES, N_ITEMS)
    rank = rng.integers(1, N_ITEMS + 1, (2, N_INSTANCES))
    for _, one, other in twice(SAMPLERS, entry, lambda made: made(rank, candidates, generator(1, "contract"))):
        if entry.facts.gives == "users":
            assert ((one >= 0) & (one < N_INSTANCES)).all()
            np.testing.assert_array_equal(one, other)
            continue
        assert one.rank.shape[0] == 2
        assert one.rank.shape[2] == N_INSTANCES
        assert (one.rank >= 1).all()
        assert (one.rank <= np.broadcast_to(one.negatives, one.rank.shape) + 1).all()
        np.testing.assert_array_equal(one.rank, other.rank)


@entries(SAMPLERS, lambda entry: entry.facts.needs == "models" and entry.facts.gives != "informed")
def test_samples_of_scored_items_have_the_ranks_that_their_negatives_allow_and_are_the_same_again(entry):
    instances, scorers, _ = drawing()
    for _, one, other in twice(SAMPLERS, entry, lambda made: made(instances, scorers, generator(1, "contract"))):
        assert one.rank.shape[0] == len(scorers)
        assert one.rank.shape[2] == len(instances.user)
        assert (one.rank >= 1).all()
        assert (one.rank <= np.broadcast_to(one.negatives, one.rank.shape) + 1).all()
        np.testing.assert_array_equal(one.rank, other.rank)


@entries(SAMPLERS, lambda entry: entry.facts.gives == "informed")
def test_samples_along_a_proxy_score_no_more_than_there_is_and_are_the_same_again(entry):
    models = lined_up()

    def sampled(made):
        return InformedSamples.whole(made(models, generator(1, "contract")))

    for definition, one, other in twice(SAMPLERS, entry, sampled):
        settings = entry.defaults | definition
        scores, places = one.about["scores"], settings["k"]
        assert one.n_places == places
        assert scores.shape == (models.n_models, 1 if settings["exact"] else settings["repeats"])
        assert ((scores >= 0) & (scores <= (one.n.values + 1) @ one.n.n)).all()
        for at in np.ndindex(scores.shape):
            names = ("hits", "draws", "n", "audited", "chance")
            (seen,), (again,) = one.read(at, *names), other.read(at, *names)
            hits, draws, n, audited, chance = seen
            assert ((hits >= 0) & (hits <= draws)).all(), definition
            assert (draws.sum(axis=1) <= n).all(), definition
            assert ((audited >= 0) & (audited <= places + 1)).all(), definition
            assert ((chance > 0) & (chance <= 1)).all(), definition
            assert all(map(np.array_equal, seen, again)), definition
        np.testing.assert_array_equal(scores, other.about["scores"])


@entries(SPLITS)
def test_splits_keep_every_test_user_in_training_whatever_the_order_of_rows(entry):
    rng = np.random.default_rng(3)
    pair = np.sort(rng.choice(40 * 30, 500, replace=False))
    user, item, time = pair // 30, pair % 30, rng.integers(10**9, 10**9 + 10**6, 500)
    part = np.zeros(500, bool)
    part[np.append(user[1:] == user[:-1], False)] = rng.random((user[1:] == user[:-1]).sum()) < 0.2
    order = rng.permutation(500)

    def both_ways(made):
        columns = (user, item, time, part)
        rows = Rows(*columns), Rows(*(column[order] for column in columns))
        return [made(each, generator(1, "contract")) for each in rows]

    for definition, (cut, shuffled), _ in twice(SPLITS, entry, both_ways):
        assert not (cut.test & cut.dropped).any()
        assert np.isin(user[cut.test], user[~cut.test & ~cut.dropped]).all(), definition
        np.testing.assert_array_equal(shuffled.test, cut.test[order])
        np.testing.assert_array_equal(shuffled.dropped, cut.dropped[order])


def is_run(entry):
    """Tell whether a source needs no archive, and no file of a form that nobody here knows."""
    return not entry.facts.archives and (not entry.facts.inputs or entry.name in FILES)


def settings_with_files(entry, folder):
    """Write what a source reads, and return the settings that name it: six users rate four items each, the fourth in
    the second file of two."""
    settings, files = FILES.get(entry.name, ({}, {}))
    rows = [(user, (user + step) % 6, 1 + (user + step) % 5, 10**9 + step) for step in range(4) for user in range(6)]
    parts = [rows] if len(files) < 2 else [rows[:18], rows[18:]]
    paths = {}
    for (name, (header, separator)), part in zip(files.items(), parts, strict=False):
        paths[name] = str(folder / f"{entry.name}.{name}")
        lines = [header, *(separator.join(map(str, row)) for row in part)]
        (folder / f"{entry.name}.{name}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return settings | paths


@entries(DATASETS, is_run)
def test_sources_give_each_pair_once_by_user_and_item_and_the_same_again(entry, tmp_path):
    def read(made):
        return made(Context("mine", generator(1, "contract")))

    for definition, one, other in twice(DATASETS, entry, read, **settings_with_files(entry, tmp_path)):
        assert len(one), definition
        assert (np.diff(one.pair) > 0).all(), definition
        assert one.per_user.all(), definition
        assert one.per_item.all(), definition
        assert np.isfinite(one.rating).all() or np.isnan(one.rating).all(), definition
        if one.scale is not None and np.isfinite(one.rating).all():
            assert one.scale[0] <= one.rating.min() <= one.rating.max() <= one.scale[1], definition
        assert (one.part is not None) == entry.facts.comes_split, definition
        assert one.checksum() == other.checksum() == one.canonical().checksum(), definition


@entries(DATASETS, lambda entry: not is_run(entry))
def test_sources_that_have_no_data_here_can_be_made_of_what_their_schema_admits(entry):
    """All that they then need is a context."""
    for definition in definitions(DATASETS, entry):
        assert Validator(entry.schema).is_valid(DATASETS.settings_of(definition)), definition
        inspect.signature(DATASETS.make(definition)).bind(Context("mine", generator(1, "contract")))
