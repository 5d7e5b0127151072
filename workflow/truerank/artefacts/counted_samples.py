"""How often each rank occurs among sampled candidates: what estimators and judgements are made of.

Some instances are in memory at a time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from truerank.artefacts.array_parts import StoredArrays
from truerank.artefacts.files import read_arrays
from truerank.estimators._core.histogram import Histogram, histogram
from truerank.provenance import PathLike
from truerank.sampling._core.sample import PER_INSTANCE

CELLS_AT_A_TIME = 1 << 22
Samples = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class CountedSamples:
    """Ranks of all instances in their samples, counted for every model and repeat.

    models : names. n_items : the mean number of candidates. seen : sizes of sets and ranks. sizes : the same of sets of
    unlike size, complete ones with their own number of negatives, and of ranks only whether they are the first, 1, or
    not, 2. estimated : ``Sample.rank_estimate``, rounded down and at most ``n_items``, as known ranks. complete :
    whether any set had all candidates. about : what is not per instance. The histograms are models x repeats x pairs.
    """

    models: np.ndarray
    n_items: int
    seen: Histogram
    sizes: Histogram | None
    estimated: Histogram | None
    complete: bool
    about: Samples

    @classmethod
    def of(cls, samples: Samples) -> "CountedSamples":
        """Return samples that are in memory."""
        return counted([samples], round(samples["candidates"].mean()))

    @property
    def n_scores(self) -> np.ndarray:
        """Item scores computed per model and repeat, the test item's own included."""
        of_set = self.seen if self.sizes is None else self.sizes
        return of_set.counts @ (of_set.negatives + 1)


def counted(parts: Iterable[Samples], n_items: int) -> CountedSamples:
    """Count samples. parts : some instances at a time, one part at least."""
    found: dict[str, Histogram] = {}
    complete, about = False, {}
    for part in parts:
        of_part = {"seen": histogram(part["rank"], part["negatives"], part["exact"])}
        if np.ndim(part["negatives"]):
            of_part["sizes"] = histogram(np.minimum(part["rank"], 2), part["negatives"])
        if "rank_estimate" in part:
            rank = np.minimum(part["rank_estimate"].astype(np.int64), n_items)
            of_part["estimated"] = histogram(rank, np.zeros_like(rank))
        for name, own in of_part.items():
            found[name] = found[name].added(own) if name in found else own
        complete = complete or bool(np.any(part["exact"]))
        about = {name: array for name, array in part.items() if name not in PER_INSTANCE or not np.ndim(array)}
    sizes, estimated = found.get("sizes"), found.get("estimated")
    return CountedSamples(about["models"], n_items, found["seen"], sizes, estimated, complete, about)


def read_samples(path: PathLike) -> CountedSamples | dict[str, np.ndarray]:
    """Count the ranks in samples; chosen instances, and what informed samplers saw, are read as they are."""
    stored = StoredArrays(path)
    if "rank" not in stored:
        return read_arrays(path)
    *lead, n = stored.shape("rank")
    size = max(1, CELLS_AT_A_TIME // int(np.prod(lead)))
    total = sum(
        int(stored.part("candidates", slice(start, min(start + CELLS_AT_A_TIME, n))).sum(dtype=np.int64))
        for start in range(0, n, CELLS_AT_A_TIME)
    )
    return counted(stored.parts(PER_INSTANCE, size), round(total / n))
