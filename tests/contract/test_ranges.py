"""Every metric stays within the range that it declares, on every scale of ratings and with any predictions."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.evaluation import columns_of, evaluate, limits, summarise
from truerank.metrics._core.listed import Catalogue, TopLists
from truerank.metrics._core.relevance import judged_by
from truerank.registry import METRICS

from tests.support import examples

SCALES = {"Jester": (-10, 10, 0.01), "shares": (0, 1, 0.25), "ten": (1, 10, 1), "half stars": (0.5, 5, 0.5)}
CUTOFFS = (1, 2, 3, 5, 10, 100, "all")
RULES = [{"threshold": 1}, {"threshold": "user_mean"}, {"threshold": "high"}, {"threshold": 1, "binary": True}]
ROUNDING = 1e-12


@cache
def variants():
    """Return every metric with its defaults, every choice of a setting, and some numbers; the combination apart."""
    found = {}
    for entry in METRICS:
        if entry.facts.needs == "values":
            continue
        found[entry.name] = {"kind": entry.name}
        for name, schema in entry.schema["properties"].items():
            made = {f"{entry.name}_{name}_{value}": {"kind": entry.name, name: value} for value in examples(schema)}
            found |= made
    return found


@st.composite
def studies(draw, scale):
    """Draw test items with predictions on and off the scale, lists, and a catalogue: ties, users of one item, all."""
    low, high, step = scale
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_users, n_items = draw(st.integers(1, 6)), draw(st.integers(1, 15))
    few = draw(st.booleans())  # values, so that most are tied

    def ratings(size):
        levels = np.arange(round((high - low) / step) + 1) * step + low
        return rng.choice(levels[[0, -1]] if few else levels, size)

    ranked = np.array([rng.permutation(n_items) for _ in range(n_users)])  # items from the first rank on
    judged = rng.random(ranked.shape) < draw(st.sampled_from([0, 0.3, 1]))
    judged[np.arange(n_users), rng.integers(0, n_items, n_users)] = True
    user, place = np.nonzero(judged)
    rating, n = ratings(len(user)), len(user)
    off_scale = rng.normal((low + high) / 2, 5 * (high - low), n)
    table = {"user": user, "rank": place + 1, "candidates": np.full(n, n_items), "rating": rating}
    table |= {"prediction": off_scale if draw(st.booleans()) else ratings(n), "scale": (low, high)}
    table["mean_rating"] = (np.bincount(user, rating) / np.bincount(user))[user]
    known = rng.random((n_items, n_users)) < 0.6
    at_random = sparse.csr_matrix((ratings(known.sum()), np.nonzero(known)), shape=known.shape)
    labels = sparse.csr_matrix((rng.random((n_items, 3)) < 0.5).astype(float))
    depth = draw(st.integers(1, n_items))
    item = np.where(np.arange(depth) < rng.integers(0, depth + 1, n_users)[:, None], ranked[:, :depth], -1)
    return table, item, Catalogue(at_random, labels), Extent(n_users, n_items, depth, (low, high))


@pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES)
@given(data=st.data(), rule=st.sampled_from(RULES), implicit=st.booleans())
def test_values_are_in_the_declared_range(scale, data, rule, implicit):
    table, item, catalogue, extent = data.draw(studies(scale))
    if implicit:
        table |= {"rating": None, "prediction": None}
        extent = Extent(extent.n_users, extent.n_items, extent.depth, None)
    judged = judged_by(rule, **table)
    metrics = {name: {"relevance": rule} | definition for name, definition in variants().items()}
    found = evaluate(judged, metrics, CUTOFFS, TopLists(item, judged, catalogue))
    seen = set()
    for name, definition in metrics.items():
        low, highs = limits(definition, CUTOFFS, extent)
        for column, high in zip(columns_of(name, definition, CUTOFFS), highs, strict=True):
            if column not in found:
                continue  # there are no ratings, so no predictions either
            seen.add(definition["kind"])
            values = np.atleast_1d(found[column])
            if METRICS.of(definition).facts.pooled and not np.isnan(values).all():
                values = np.array([np.nanmean(values)])  # users have contributions, the range is the value's
            outside = ~np.isnan(values) & ~((values >= low - ROUNDING) & (values <= high * (1 + ROUNDING) + ROUNDING))
            assert not outside.any(), f"{column}: {values[outside]} is not within {low} to {high}"
    assert seen >= {e.name for e in METRICS if e.facts.needs in ("ranks", "lists")}
    assert implicit or seen >= {e.name for e in METRICS if e.facts.needs == "predictions"}


@given(data=st.data())
def test_a_combination_is_in_its_declared_range(data):
    table, item, catalogue, extent = data.draw(studies(SCALES["Jester"]))
    of = ["ndcg", "esibn", "half_life", "coverage", "entropy"]
    metrics = {name: {"kind": name} for name in of} | {"unified": {"kind": "unified", "of": of}}
    judged = judged_by({"threshold": 1}, **table)
    values = evaluate(judged, metrics, CUTOFFS, TopLists(item, judged, catalogue))
    low, high = METRICS["unified"].facts.range
    with np.errstate(divide="ignore", invalid="ignore"):  # one user or one item: novelty has no room
        means = summarise(values, metrics, CUTOFFS, extent=extent)
    for column in (f"unified@{cutoff}" for cutoff in CUTOFFS):
        value = means[column].value
        assert np.isnan(value) or low <= value <= high + ROUNDING
