"""What every estimator, sampler, split and data source promises; one that is registered is tested here as it is.

Settings come from the schema: those that are required have the first value that it admits, and each setting is tried
with its other ones.
"""

import inspect

import numpy as np
import pytest
from truerank.errors import UserError
from truerank.provenance import generator
from truerank.registry import DATASETS, ESTIMATORS, SAMPLERS, SPLITS
from truerank.splits._core.rows import Rows

from tests.support import examples
from tests.unit.estimators.problems import skilled
from tests.unit.sampling.drawing import drawing

N_ITEMS, N_INSTANCES = 300, 50
ANOTHER = "mle"  # the estimator that a setting in words names


def entries(registry, keep=lambda entry: True):
    return pytest.mark.parametrize("entry", [pytest.param(each, id=each.name) for each in registry if keep(each)])


def definitions(registry, entry):
    """Yield the piece with required settings alone, and with every example of each other setting."""
    properties = entry.schema["properties"]
    least = {registry.key: entry.name}
    for name in entry.schema["required"]:
        least[name] = (examples(properties[name]) or [ANOTHER])[-1]
    yield least
    for name, schema in properties.items():
        yield from (least | {name: value} for value in examples(schema))


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


@entries(ESTIMATORS, lambda entry: "ranks" in entry.facts.takes)
def test_estimates_are_finite_one_per_repeat_and_column_and_the_same_again(entry):
    _, problem = skilled(N_ITEMS, 400, negatives=20, repeats=2)
    for definition in definitions(ESTIMATORS, entry):
        prior = ESTIMATORS.make({"kind": "mle"}).fit(problem) if "prior" in entry.settings else None
        one, other = (ESTIMATORS.make(definition).estimate(problem, prior) for _ in range(2))
        assert one.shape == (2, len(problem.columns)), definition
        assert np.isfinite(one).all(), definition
        np.testing.assert_array_equal(one, other)


@entries(SAMPLERS, lambda entry: entry.facts.needs == "ranks")
def test_samples_have_the_ranks_that_their_negatives_allow_and_are_the_same_again(entry):
    rng = np.random.default_rng(2)
    candidates = np.full(N_INSTANCES, N_ITEMS)
    rank = rng.integers(1, N_ITEMS + 1, (2, N_INSTANCES))
    made = 0
    for definition in definitions(SAMPLERS, entry):
        try:
            one, other = (SAMPLERS.make(definition)(rank, candidates, generator(1, "contract")) for _ in range(2))
        except UserError:  # settings that contradict each other, told in a sentence
            continue
        made += 1
        if entry.facts.gives == "users":
            assert ((one >= 0) & (one < N_INSTANCES)).all()
            np.testing.assert_array_equal(one, other)
            continue
        assert one.rank.shape[0] == 2
        assert one.rank.shape[2] == N_INSTANCES
        assert (one.rank >= 1).all()
        assert (one.rank <= np.broadcast_to(one.negatives, one.rank.shape) + 1).all()
        np.testing.assert_array_equal(one.rank, other.rank)
    assert made


@entries(SAMPLERS, lambda entry: entry.facts.needs == "models" and entry.facts.gives != "informed")
def test_samples_of_scored_items_have_the_ranks_that_their_negatives_allow_and_are_the_same_again(entry):
    instances, scorers, _ = drawing()
    made = 0
    for definition in definitions(SAMPLERS, entry):
        try:
            one, other = (SAMPLERS.make(definition)(instances, scorers, generator(1, "contract")) for _ in range(2))
        except UserError:
            continue
        made += 1
        assert one.rank.shape[0] == len(scorers)
        assert one.rank.shape[2] == len(instances.user)
        assert (one.rank >= 1).all()
        assert (one.rank <= np.broadcast_to(one.negatives, one.rank.shape) + 1).all()
        np.testing.assert_array_equal(one.rank, other.rank)
    assert made


@entries(SPLITS)
def test_splits_keep_every_test_user_in_training_whatever_the_order_of_rows(entry):
    rng = np.random.default_rng(3)
    pair = np.sort(rng.choice(40 * 30, 500, replace=False))
    user, item, time = pair // 30, pair % 30, rng.integers(10**9, 10**9 + 10**6, 500)
    part = np.zeros(500, bool)
    part[np.append(user[1:] == user[:-1], False)] = rng.random((user[1:] == user[:-1]).sum()) < 0.2
    order = rng.permutation(500)
    made = 0
    for definition in definitions(SPLITS, entry):
        try:
            cut = SPLITS.make(definition)(Rows(user, item, time, part), generator(1, "contract"))
            rows = Rows(*(column[order] for column in (user, item, time, part)))
            shuffled = SPLITS.make(definition)(rows, generator(1, "contract"))
        except UserError:
            continue
        made += 1
        assert not (cut.test & cut.dropped).any()
        assert np.isin(user[cut.test], user[~cut.test & ~cut.dropped]).all(), definition
        np.testing.assert_array_equal(shuffled.test, cut.test[order])
        np.testing.assert_array_equal(shuffled.dropped, cut.dropped[order])
    assert made
