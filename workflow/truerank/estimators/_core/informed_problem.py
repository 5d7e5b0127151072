"""What the estimator of informed samples works with."""

from collections.abc import Collection
from functools import cached_property

import numpy as np

from truerank.metrics._core.single import metric_of_rank
from truerank.registry import Cutoff, Definitions
from truerank.sampling._core.informed_sample import InformedSamples


class InformedProblem:
    """Estimate metrics with cut-offs up to K from what was scored along a proxy.

    metrics, cutoffs : as in the config; those that look beyond K are left out.
    """

    def __init__(
        self, samples: InformedSamples, metrics: Definitions | tuple[()] = (), cutoffs: Collection[Cutoff] = ()
    ) -> None:
        self.samples = samples
        within = [k for k in cutoffs if isinstance(k, int) and k <= samples.n_places]
        found = metric_of_rank(dict(metrics), within, np.arange(1, samples.n_places + 2), samples.n_items)
        self.values = {name: values for name, values in found.items() if not name.endswith("@all")}

    @cached_property
    def columns(self) -> list[str]:
        """Names ``metric@k`` of what is estimated."""
        return list(self.values)

    @cached_property
    def exact(self) -> np.ndarray:
        """F(R), ranks 1 to K + 1 x columns; beyond K no metric changes."""
        return np.column_stack(list(self.values.values()))
