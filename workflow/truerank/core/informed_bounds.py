"""Bounds of the exact metrics from what an informed sampler saw."""

from collections.abc import Iterator, Sequence

import numpy as np

from truerank.bounding.designs import Uniform
from truerank.bounding.laws import Metric
from truerank.bounding.limits import limits_of_ranks
from truerank.bounding.metrics import Wanted, function_of_rank, metric_bounds
from truerank.bounding.searched import Ends, Found, certain, searched_bounds
from truerank.informed.strata import stratum_edges
from truerank.sampling._core.informed_sample import At, InformedSamples
from truerank.value_counts import ValueCounts

NOTHING = (np.nan, np.nan)


def informed_bounds(samples: InformedSamples, model: int, wanted: Sequence[Wanted], confidence: float) -> list[Ends]:
    """Return the bounds of metrics from the first repeat of one model; NaN of those that look beyond K or rise.

    Where the proxy was followed they are those of ``searched_bounds``. Else negatives are uniform: bounds of these,
    and what is certain where users differ in how many were drawn.
    """
    at, k, n_items = (model, 0), samples.n_places, samples.n_items
    functions = [function_of_rank(*each, n_items) for each in wanted]
    able = [place for place, each in enumerate(wanted) if within(each, functions[place], k)]
    found = [NOTHING] * len(wanted)
    own = of_search(samples, at, [functions[place] for place in able], confidence)
    if not samples.about["followed"][at]:
        own = of_uniform(samples, at, [wanted[place] for place in able], own, confidence)
    for place, ends in zip(able, own, strict=True):
        found[place] = ends
    return found


def within(wanted: Wanted, function: Metric, n_places: int) -> bool:
    """Tell whether a metric looks at the first K places alone, and never rises with the rank."""
    k = wanted[2]
    return isinstance(k, int) and k <= n_places and not (np.diff(function(np.arange(1, n_places + 2))) > 1e-12).any()


def of_search(samples: InformedSamples, at: At, functions: list[Metric], confidence: float) -> list[Ends]:
    """Return the bounds from a search that followed the proxy, and what is certain from one that did not."""
    k, most = samples.n_places, int(samples.n.values[-1])
    level, head = samples.about["level"][at], int(samples.about["head"][at])
    if samples.about["followed"][at] and level:
        low, high = np.minimum(level / np.sqrt([most, head + 1]), 1)
        return searched_bounds(found_by(samples, at), functions, k, (low, high), confidence)
    total = np.zeros((len(functions), 2))
    for found in found_by(samples, at):
        total += np.reshape([certain(function, found.hits, found.whole, k) for function in functions], (-1, 2))
    return [(float(low), float(high)) for low, high in total / len(samples.n)]


def found_by(samples: InformedSamples, at: At) -> Iterator[Found]:
    """Yield what the search of a model in a repeat found, some instances at a time."""
    head = int(samples.about["head"][at])
    n_in_head = int(np.count_nonzero(stratum_edges(int(samples.n.values[-1]), head)[1:] <= head))
    for hits, draws, n in samples.read(at, "hits", "draws", "n"):
        in_head = np.minimum(hits[:, :n_in_head].sum(axis=1), samples.n_places)
        yield Found(in_head, hits.sum(axis=1), draws.sum(axis=1) >= n)


def of_uniform(
    samples: InformedSamples, at: At, wanted: list[Wanted], sure: list[Ends], confidence: float
) -> list[Ends]:
    """Return the bounds from uniform negatives, none wider than what is certain."""
    drawn = ValueCounts(np.int64)
    counts = ValueCounts(np.int64)
    for hits, draws in samples.read(at, "hits", "draws"):
        drawn.add(draws[:, 0])
        counts.add(hits[:, 0])
    negatives, n_items = int(drawn.values[-1]), samples.n_items
    if len(drawn.values) > 1 or not 0 < negatives < n_items - 1:
        return sure
    seen = np.zeros(negatives + 1, np.int64)
    seen[counts.values] = counts.n
    banded = metric_bounds(Uniform(n_items, negatives), limits_of_ranks(seen, confidence), wanted)
    return [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(banded, sure, strict=True)]
