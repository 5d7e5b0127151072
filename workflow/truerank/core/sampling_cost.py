"""What each sampler costs in item scores, as it happened and as the exact ranks let expect."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from truerank.artefacts.counted_samples import CountedSamples, Samples
from truerank.artefacts.test_instances import ExactRanks
from truerank.core.exact_summary import ExactSummary, RankBlocks
from truerank.registry import Definition, Definitions
from truerank.sampling._core.effort import cost_per_resolved, expected_effort, realised_effort
from truerank.sampling._core.informed_sample import InformedSamples
from truerank.sampling.adaptive import set_sizes

FIGURES = ["waiting", "scored", "resolved", "cost"]
FIGURES += [f"expected_{name}" for name in FIGURES]


def sampling_cost(
    samplers: Definitions,
    samples: Mapping[str, Samples],
    ranked: RankBlocks,
    summary: ExactSummary,
    picked: Mapping[str, tuple[np.ndarray, np.ndarray]],
    models: Sequence[str],
) -> tuple[list[pd.DataFrame], list[pd.DataFrame]]:
    """Return two lists of tables: the cost of every sampler, and the effort of adaptive ones at each size of the set.

    samplers : name -> definition. samples : name -> what the sampler gave. picked : of samplers that choose instances,
    the ranks and the candidates of these.
    """
    adaptive = {n: a for n, a in samples.items() if isinstance(a, CountedSamples) and a.sizes is not None}
    effort = [effort_of(n, samplers[n], a, ranked, models) for n, a in adaptive.items()]
    expected: dict[tuple[str, str], float] = {}
    for table in effort:
        expected |= table.groupby(["sampler", "model"])["expected_scored"].sum().to_dict()
    return [cost_of(n, a, summary, picked.get(n), models, expected) for n, a in samples.items()], effort


def cost_of(
    sampler: str,
    samples: Samples,
    summary: ExactSummary,
    picked: tuple[np.ndarray, np.ndarray] | None,
    models: Sequence[str],
    expected: Mapping[tuple[str, str], float],
) -> pd.DataFrame:
    """Return the item scores that each model needed per repeat and is expected to need, beside those of exact ranks."""
    exact, n = summary.candidates, summary.n
    if picked is not None:
        candidates = picked[1]
        scores = np.full(len(models), candidates.sum(axis=1).mean())
        share = np.full(len(models), candidates.shape[1] / n)
        foreseen = share * exact
    elif isinstance(samples, CountedSamples):
        scores = samples.n_scores.mean(axis=1)
        foreseen = np.array([expected.get((sampler, model), scores[place]) for place, model in enumerate(models)])
    else:
        assert isinstance(samples, InformedSamples)
        scores = foreseen = samples.about["scores"].mean(axis=1)
    figures = {"scores": scores, "per_instance": scores / n, "expected": foreseen / n, "share": scores / exact}
    return pd.DataFrame({"sampler": sampler, "model": models, **figures})


def effort_of(
    sampler: str, definition: Definition, samples: CountedSamples, ranked: RankBlocks, models: Sequence[str]
) -> pd.DataFrame:
    """Return, per model and size of the set: instances that wait for it, items scored, instances resolved, and the
    cost of one more resolved, null where nobody is; the mean over repeats, and the expectation."""
    sizes = set_sizes(**{key: definition[key] for key in ("start", "limit") if key in definition})
    replace, drawn = definition.get("replace", False), samples.sizes
    assert drawn is not None
    expected = np.sum([expected_efforts(block, sizes, replace) for block in ranked()], axis=0)
    frames = []
    for model, counts, foreseen in zip(models, drawn.counts, expected, strict=True):
        found = realised_effort(drawn.rank, drawn.negatives, sizes, counts)
        figures = [*found, cost_per_resolved(*found[1:]), *foreseen, cost_per_resolved(*foreseen[1:])]
        rows = dict(zip(FIGURES, figures, strict=True))
        frames.append(pd.DataFrame({"sampler": sampler, "model": model, "size": sizes, **rows}))
    return pd.concat(frames, ignore_index=True).replace(np.inf, np.nan)


def expected_efforts(block: ExactRanks, sizes: np.ndarray, replace: bool) -> np.ndarray:
    """Return the expectation for some instances, models x figures x sizes."""
    return np.array([expected_effort(rank, block.candidates, sizes, replace) for rank in block.rank])
