"""The thinned test sets of a sweep: which there are, and which rows of a block of users each of them keeps."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from truerank.meta.robustness import random_subsets, without_popular
from truerank.provenance import generator

Label = tuple[str, float, int]  # bias, fraction, sample


def labels_of(settings: Mapping[str, Any]) -> list[Label]:
    """Return all thinned sets. settings : ``sparsity`` and ``popularity``, fractions, and ``samples`` of each."""
    random = [
        (float(f), sample) for f in settings["sparsity"] for sample in range(settings["samples"] if f != 1 else 1)
    ]
    popular = [float(f) for f in settings["popularity"]]
    return [("sparsity", *each) for each in random] + [("popularity", each, 0) for each in popular]


def share_of_sets(labels: Sequence[Label], shard: int, n_shards: int) -> list[int]:
    """Return the places of the sets of one of several jobs: whole fractions, in turn."""
    number = {of: place for place, of in enumerate(dict.fromkeys(label[:2] for label in labels))}
    return [place for place, label in enumerate(labels) if number[label[:2]] % n_shards == shard]


class ThinnedSets:
    """The random parts of the thinned sets of all users.

    degree : training users of each item. rows : test rows of every block of users. names : of what is drawn for.
    """

    def __init__(self, degree: np.ndarray, rows: Sequence[int], seed: int, names: tuple[str, ...]) -> None:
        self.degree, self.rows, self.seed, self.names = degree, rows, seed, names

    def masks(self, labels: Iterable[Label], block: int, item: np.ndarray) -> Iterator[np.ndarray]:
        """Yield, as masks over the rows of a block, what each thinned set keeps of it. item : per row.

        The samples of a fraction ascend. All rows of a set that are kept are as many as the fraction says.
        """
        for (bias, fraction), some in groupby(labels, key=lambda label: label[:2]):
            samples = [sample for *_, sample in some]
            if bias == "popularity":
                yield without_popular(item, self.degree, fraction)
            elif len(self.rows) == 1:
                rng = generator(self.seed, "measure_robustness", *self.names, fraction)
                drawn = enumerate(random_subsets(len(item), fraction, samples[-1] + 1, rng))
                yield from (mask for sample, mask in drawn if sample in samples)
            else:
                yield from (self.of_block(fraction, sample, block) for sample in samples)

    def of_block(self, fraction: float, sample: int, block: int) -> np.ndarray:
        """Return a random set's rows of one block: how many they are follows from one law for all blocks."""
        names = (*self.names, fraction, sample)
        rng = generator(self.seed, "measure_robustness", *names)
        kept = rng.multivariate_hypergeometric(self.rows, round(fraction * sum(self.rows)), method="marginals")
        rng = generator(self.seed, "measure_robustness", *names, block)
        mask = np.zeros(self.rows[block], bool)
        mask[rng.permutation(len(mask))[: kept[block]]] = True
        return mask
