"""What each sampler costs in item scores, as it happened and as the exact ranks let expect."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from truerank.artefacts.test_instances import ExactRanks
from truerank.core.sampling import Samples
from truerank.registry import Definition, Definitions
from truerank.sampling._core.effort import cost_per_resolved, expected_effort, realised_effort
from truerank.sampling._core.sample import Sample
from truerank.sampling.adaptive import set_sizes

FIGURES = ["waiting", "scored", "resolved", "cost"]
FIGURES += [f"expected_{name}" for name in FIGURES]


def sampling_cost(
    samplers: Definitions, arrays: Mapping[str, Samples], ranked: ExactRanks, models: Sequence[str]
) -> tuple[list[pd.DataFrame], list[pd.DataFrame]]:
    """Return two lists of tables: the cost of every sampler, and the effort of adaptive ones at each size of the set.

    samplers : name -> definition. arrays : name -> what the sampler gave.
    """
    effort = [effort_of(n, samplers[n], a, ranked, models) for n, a in arrays.items() if is_adaptive(a)]
    expected: dict[tuple[str, str], float] = {}
    for table in effort:
        expected |= table.groupby(["sampler", "model"])["expected_scored"].sum().to_dict()
    return [cost_of(n, a, ranked, models, expected) for n, a in arrays.items()], effort


def is_adaptive(arrays: Samples) -> bool:
    return np.ndim(arrays.get("negatives", 0)) > 0


def cost_of(
    sampler: str,
    arrays: Samples,
    ranked: ExactRanks,
    models: Sequence[str],
    expected: Mapping[tuple[str, str], float],
) -> pd.DataFrame:
    """Return the item scores that each model needed per repeat and is expected to need, beside those of exact ranks."""
    exact, n = int(ranked.candidates.sum()), len(ranked.user)
    if "chosen" in arrays:
        scores = np.full(len(models), ranked.candidates[arrays["chosen"]].sum(axis=1).mean())
        share = np.full(len(models), arrays["chosen"].shape[1] / n)
        foreseen = share * exact
    elif "scores" in arrays:
        scores = foreseen = arrays["scores"].mean(axis=1)
    else:
        scores = Sample(arrays["rank"], arrays["negatives"]).n_scores.mean(axis=1)
        foreseen = np.array([expected.get((sampler, model), scores[place]) for place, model in enumerate(models)])
    figures = {"scores": scores, "per_instance": scores / n, "expected": foreseen / n, "share": scores / exact}
    return pd.DataFrame({"sampler": sampler, "model": models, **figures})


def effort_of(
    sampler: str, definition: Definition, arrays: Samples, ranked: ExactRanks, models: Sequence[str]
) -> pd.DataFrame:
    """Return, per model and size of the set: instances that wait for it, items scored, instances resolved, and the
    cost of one more resolved, null where nobody is; the mean over repeats, and the expectation."""
    sizes = set_sizes(**{key: definition[key] for key in ("start", "limit") if key in definition})
    replace = definition.get("replace", False)
    frames = []
    for place, model in enumerate(models):
        found = realised_effort(arrays["rank"][place], arrays["negatives"][place], sizes)
        foreseen = expected_effort(ranked.rank[place], ranked.candidates, sizes, replace)
        figures = [*found, cost_per_resolved(*found[1:]), *foreseen, cost_per_resolved(*foreseen[1:])]
        rows = dict(zip(FIGURES, figures, strict=True))
        frames.append(pd.DataFrame({"sampler": sampler, "model": model, "size": sizes, **rows}))
    return pd.concat(frames, ignore_index=True).replace(np.inf, np.nan)
