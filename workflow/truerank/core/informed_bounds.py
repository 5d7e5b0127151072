"""Bounds of the exact metrics from what an informed sampler saw."""

from collections.abc import Sequence
from dataclasses import fields

import numpy as np

from truerank.artefacts.counted_samples import Samples
from truerank.bounding.designs import Uniform
from truerank.bounding.evidence import limits_of_ranks
from truerank.bounding.laws import Metric
from truerank.bounding.metrics import Wanted, function_of_rank, metric_bounds
from truerank.bounding.searched import Ends, Found, certain, searched_bounds
from truerank.sampling._core.informed_sample import InformedSample

NOTHING = (np.nan, np.nan)


def informed_bounds(arrays: Samples, model: int, wanted: Sequence[Wanted], confidence: float) -> list[Ends]:
    """Return the bounds of metrics from the first repeat of one model; NaN of those that look beyond K or rise.

    Where the proxy was followed they are those of ``searched_bounds``. Else negatives are uniform: bounds of these,
    and what is certain where users differ in how many were drawn.
    """
    sample = InformedSample(**{field.name: arrays[field.name] for field in fields(InformedSample)})
    k, n_items = sample.n_places, round(float(sample.n.mean())) + 1
    functions = [function_of_rank(*each, n_items) for each in wanted]
    able = [place for place, each in enumerate(wanted) if within(each, functions[place], k)]
    found = [NOTHING] * len(wanted)
    own = of_search(sample, model, [functions[place] for place in able], confidence)
    if not sample.followed[model, 0]:
        own = of_uniform(sample, model, [wanted[place] for place in able], own, confidence)
    for place, ends in zip(able, own, strict=True):
        found[place] = ends
    return found


def within(wanted: Wanted, function: Metric, n_places: int) -> bool:
    """Tell whether a metric looks at the first K places alone, and never rises with the rank."""
    k = wanted[2]
    return isinstance(k, int) and k <= n_places and not (np.diff(function(np.arange(1, n_places + 2))) > 1e-12).any()


def of_search(sample: InformedSample, model: int, functions: list[Metric], confidence: float) -> list[Ends]:
    """Return the bounds from a search that followed the proxy, and what is certain from one that did not."""
    at = model, 0
    hits = sample.hits[at].sum(axis=1)
    whole = sample.draws[at].sum(axis=1) >= sample.n
    if not sample.followed[at] or not sample.level[at]:
        return [certain(function, hits, whole, sample.n_places) for function in functions]
    seen = sample.seen(*at)
    head = np.minimum(seen.hits[:, seen.in_head].sum(axis=1).astype(np.int64), sample.n_places)
    level = sample.level[at] / np.sqrt([int(sample.n.max()), sample.head[at] + 1])
    low, high = np.minimum(level, 1)
    return searched_bounds(Found(head, hits, whole, sample.n_places, (low, high)), functions, confidence)


def of_uniform(
    sample: InformedSample, model: int, wanted: list[Wanted], sure: list[Ends], confidence: float
) -> list[Ends]:
    """Return the bounds from uniform negatives, none wider than what is certain."""
    drawn = sample.draws[model, 0][:, 0]
    negatives, n_items = int(drawn.max()), round(float(sample.n.mean())) + 1
    if (drawn < negatives).any() or not 0 < negatives < n_items - 1:
        return sure
    counts = np.bincount(sample.hits[model, 0][:, 0], minlength=negatives + 1)
    banded = metric_bounds(Uniform(n_items, negatives), limits_of_ranks(counts, confidence), wanted)
    return [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(banded, sure, strict=True)]
