"""How often each rank occurs among sampled candidates: what estimators and judgements are made of.

Some instances are in memory at a time.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from truerank.artefacts.array_parts import StoredArrays
from truerank.artefacts.test_instances import INSTANCES_PER_BLOCK
from truerank.estimators._core.histogram import Histogram, histogram
from truerank.provenance import PathLike
from truerank.ranking.shards import blocks
from truerank.sampling._core.informed_sample import PER_REPEAT, At, InformedSamples
from truerank.sampling._core.sample import PER_INSTANCE

CELLS_AT_A_TIME = 1 << 22
Arrays = Mapping[str, np.ndarray]


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
    about: Arrays

    @classmethod
    def of(cls, samples: Arrays) -> "CountedSamples":
        """Return samples that are in memory."""
        return counted([samples], round(samples["candidates"].mean()))

    @property
    def n_scores(self) -> np.ndarray:
        """Item scores computed per model and repeat, the test item's own included."""
        of_set = self.seen if self.sizes is None else self.sizes
        return of_set.counts @ (of_set.negatives + 1)


Samples = CountedSamples | InformedSamples | Arrays  # of samplers that choose instances, what is not per instance


def counted(parts: Iterable[Arrays], n_items: int) -> CountedSamples:
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


def read_samples(path: PathLike) -> Samples:
    """Count the ranks in samples; of samplers that choose instances, read what is not per instance."""
    stored = StoredArrays(path, PER_INSTANCE)
    if "hits" in stored:
        return informed_samples(stored)
    if "rank" not in stored:
        return stored.fixed
    *lead, n = stored.shape("rank")
    size = max(1, CELLS_AT_A_TIME // int(np.prod(lead)))
    total = sum(int(stored.part("candidates", rows).sum(dtype=np.int64)) for rows in blocks(n, CELLS_AT_A_TIME))
    return counted(stored.parts(size), round(total / n))


def informed_samples(stored: StoredArrays) -> InformedSamples:
    """Return what an informed sampler gave. A law is computed by blocks of 65,536 instances, which round it."""

    def read(at: At, *names: str) -> Iterator[tuple[np.ndarray, ...]]:
        for rows in blocks(stored.length("n"), INSTANCES_PER_BLOCK):
            yield tuple(stored.part(name, rows, at if name in PER_REPEAT else ()) for name in names)

    about = stored.fixed
    return InformedSamples.of(about.pop("models"), about, read)
