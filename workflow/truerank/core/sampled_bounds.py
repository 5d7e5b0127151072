"""What the samples of a study identify: bounds of the exact metrics beside the estimates, and against the cut-off."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pandas as pd

from truerank.artefacts.counted_ranks import CountedRanks
from truerank.artefacts.counted_samples import CountedSamples, Samples
from truerank.bounding.designs import Adaptive, Design, Uniform, Weighted
from truerank.bounding.identified import identified
from truerank.bounding.limits import limits_of_ranks, outcomes_near
from truerank.bounding.metrics import Wanted, metric_bounds
from truerank.bounding.planning import expected_bounds
from truerank.bounding.program import Limits
from truerank.bounding.search import NoLawError
from truerank.bounding.successive import Successive
from truerank.core.exact_summary import ExactSummary
from truerank.core.informed_bounds import informed_bounds
from truerank.core.sampling import is_informed
from truerank.errors import UserError
from truerank.estimators._core.histogram import Histogram
from truerank.registry import SAMPLERS, Definition, Definitions
from truerank.sampling._core.informed_sample import InformedSamples
from truerank.sampling.adaptive import set_sizes

CONFIDENCE = 0.95
ENOUGH = 5e-3  # by how much cells may widen a bound here: a page shows three digits
AT = 10  # the cut-off whose bounds are shown, if it is selected
NEGATIVES = (19, 99, 499)
POINTS = 10
BOUNDS = ["sampler", "estimator", "model", "metric", "k", "estimate", "interval", "bound_low", "bound_high"]
BOUNDS += ["identified"]
KNOWN = ["negatives", "model", "k", "exact", "low", "high"]
Ends = tuple[float, float]


def sampled_bounds(
    summary: ExactSummary,
    samples: Mapping[str, Samples],
    estimates: Mapping[tuple[str, str], np.ndarray],
    estimated: Mapping[tuple[str, str], Collection[str]],
    samplers: Definitions,
    models: Sequence[str],
    metrics: Definitions,
    threads: int = 1,
) -> list[pd.DataFrame]:
    """Return tables of ``BOUNDS`` for the first repeat, each metric at 10 or else at its first cut-off.

    estimates : by sampler and estimator, models x repeats x columns. estimated : the columns that an estimator has.
    interval : the width of a 95 % interval of the estimate, from its spread over repeats and that of the exact metric
    over users. No table where a user has several instances, whose ranks depend on each other, and for adaptive sets
    that ran out of candidates, whose law is not known.
    """
    if summary.several:
        return []
    columns = summary.columns
    spread = pd.DataFrame(summary.variance / summary.n, models, columns)
    spans = dict(zip(columns, summary.span.tolist(), strict=True))
    shown = shown_columns(columns)
    frames = []
    for sampler, arrays in samples.items():
        design = design_of(samplers[sampler], arrays)
        if design is None and not is_informed(samplers[sampler]):
            continue
        bounds = partial(bounds_of, design, arrays, metrics=metrics, columns=shown)
        with ThreadPoolExecutor(threads) as pool:
            found = dict(zip(models, pool.map(bounds, range(len(models))), strict=True))
        for (of, estimator), table in estimates.items():
            if of == sampler:
                rows = beside(table, estimated[of, estimator], found, spread, shown, spans)
                frames.append(
                    pd.DataFrame(rows, columns=BOUNDS[2:]).assign(sampler=sampler, estimator=estimator)[BOUNDS]
                )
    return frames


def shown_columns(columns: Sequence[str]) -> list[str]:
    """Return of each metric the column at the cut-off 10, or else its first."""
    of_metric: dict[str, list[str]] = {}
    for column in columns:
        of_metric.setdefault(column.rpartition("@")[0], []).append(column)
    return [f"{metric}@{AT}" if f"{metric}@{AT}" in own else own[0] for metric, own in of_metric.items()]


def design_of(sampler: Definition, samples: Samples) -> Design | None:
    """Return the design of a sampler's draws, None where its law is not known."""
    if not isinstance(samples, CountedSamples) or samples.complete:
        return None
    n_items, replace, about = samples.n_items, sampler.get("replace", False), samples.about
    gives = SAMPLERS.of(sampler).facts.gives
    if gives == "ranks":
        return Uniform(n_items, int(about["negatives"]), replace)
    if gives == "weighted ranks":
        low, high = about["kept"]
        drawn = Weighted if replace else Successive
        return drawn(about["chances"], int(about["negatives"]), (float(low), float(high)), n_items)
    if sampler["kind"] == "adaptive":
        sizes = set_sizes(**{key: sampler[key] for key in ("start", "limit") if key in sampler}) - 1
        return Adaptive(n_items, tuple(sizes.tolist()), replace)
    return None


def bounds_of(
    design: Design | None,
    samples: Samples,
    model: int,
    metrics: Definitions,
    columns: Sequence[str],
) -> list[Ends]:
    """Return the bounds of the columns from the first repeat of one model. design : None of an informed sampler."""
    wanted = [wanted_of(column, metrics) for column in columns]
    if isinstance(samples, InformedSamples):
        return informed_bounds(samples, model, wanted, CONFIDENCE)
    assert design is not None
    assert isinstance(samples, CountedSamples)
    counts = counts_of(design, samples.seen, model)
    limits = limits_of_ranks(counts, CONFIDENCE, outcomes_near(design, [k for *_, k in wanted]))
    return [one_of(design, limits, each) for each in wanted]


def counts_of(design: Design, seen: Histogram, model: int) -> np.ndarray:
    """Return how often each outcome of a design occurred in the first repeat of a model."""
    counts = seen.counts[model, 0]
    if not isinstance(design, Adaptive):
        return counts
    sizes, ranks = design.outcomes
    code = sizes.astype(np.int64) * (design.n_items + 1) + ranks
    order = np.argsort(code)
    occurred = counts > 0
    own = seen.negatives[occurred] * (design.n_items + 1) + seen.rank[occurred]
    found = np.zeros(design.n_outcomes, np.int64)
    np.add.at(found, order[np.searchsorted(code[order], own)], counts[occurred])
    return found


def one_of(design: Design, limits: Limits, wanted: Wanted) -> Ends:
    """Return the bounds of one metric; NaN if no law leads to the sample, or the metric turns with the rank."""
    try:
        return metric_bounds(design, limits, [wanted], enough=ENOUGH)[0]
    except (NoLawError, UserError):
        return np.nan, np.nan


def wanted_of(column: str, metrics: Definitions) -> Wanted:
    metric, _, k = column.rpartition("@")
    return metric, metrics[metric], k if k == "all" else int(k)


def beside(
    estimates: np.ndarray,
    given: Collection[str],
    found: Mapping[str, list[Ends]],
    spread: pd.DataFrame,
    shown: Sequence[str],
    spans: Mapping[str, float],
) -> Iterator[tuple]:
    """Yield the rows of one estimator without its name and the sampler's.

    shown : the columns whose ends were found. spans : the largest value of each metric less the least.
    """
    for of_model, (model, ends) in zip(estimates, found.items(), strict=True):
        for column, (low, high) in zip(shown, ends, strict=True):
            if column not in given:  # beyond the K of an informed sampler
                continue
            own = of_model[:, spread.columns.get_loc(column)]
            variance = spread.at[model, column] + (own.var(ddof=1) if len(own) > 1 else 0.0)
            interval = 2 * 1.96 * float(np.sqrt(variance))
            metric, _, k = column.rpartition("@")
            is_identified = identified(own[0], low, high, interval, spans[column])
            yield model, metric, k, own[0], interval, low, high, is_identified


def known(ranked: CountedRanks, models: Sequence[str], sizes: Collection[int] = NEGATIVES) -> list[pd.DataFrame]:
    """Return tables of ``KNOWN``: the bounds of recall against k that are expected from uniform negatives.

    Of the model with the best recall@10, the exact ranks are taken for the law that samples come from.
    """
    if ranked.several:
        return []
    curves = [ranked.recall(place) for place in range(len(models))]
    leader = int(np.argmax([curve[min(AT, len(curve)) - 1] for curve in curves]))
    rank, place = np.unique(np.minimum(ranked.rank(leader), ranked.n_items), return_inverse=True)
    counts = np.bincount(place, ranked.ranks[leader].n, len(rank))
    n = int(counts.sum())
    cutoffs = np.unique(np.geomspace(1, ranked.n_items, POINTS).round().astype(int))
    wanted = [("recall", {"kind": "recall"}, int(k)) for k in cutoffs]
    exact = curves[leader][cutoffs - 1]
    frames = []
    for negatives in (size for size in sizes if size < ranked.n_items - 1):
        design = Uniform(ranked.n_items, negatives)
        low, high = zip(*expected_bounds(design, rank, counts / n, n, wanted, CONFIDENCE, ENOUGH), strict=True)
        named = {"negatives": negatives, "model": models[leader], "k": cutoffs.astype(str)}
        frames.append(pd.DataFrame({**named, "exact": exact, "low": low, "high": high}))
    return frames
