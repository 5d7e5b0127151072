"""Does a metric order systems alike when judgements are missing? Sweeps over sparsity and popularity."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from truerank.meta.kendall import tau_b
from truerank.meta.sweep import Sweep, adds_up
from truerank.meta.thinned import Thinned
from truerank.metrics._core.evaluation import evaluate, summarise
from truerank.metrics._core.judged import JudgedRanks
from truerank.registry import Cutoff, Definitions

MASKS_AT_A_TIME = 64


def random_subsets(n_rows: int, fraction: float, n_samples: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield, as masks, ``n_samples`` random subsets that hold this fraction of the rows; the whole, once."""
    if fraction == 1:
        yield np.ones(n_rows, bool)
        return
    size = round(fraction * n_rows)
    for _ in range(n_samples):
        keep = np.zeros(n_rows, bool)
        keep[rng.permutation(n_rows)[:size]] = True
        yield keep


def without_popular(item: np.ndarray, degree: np.ndarray, fraction: float) -> np.ndarray:
    """Return, as a mask, the rows of all but the most popular items.

    item : per row. degree : training rows of each item; of the items that have any, this fraction is kept, the least
    popular first and equally popular ones in order of code. An item that nobody has in training is least popular.

    Valcarce et al. 2018, doi:10.1145/3240323.3240347.
    """
    order = np.argsort(degree, kind="stable")
    n_cold, n_known = (degree == 0).sum(), (degree > 0).sum()
    kept = np.zeros(len(degree), bool)
    kept[order[: n_cold + round(fraction * n_known)]] = True
    return kept[item]


def mean_metrics(
    judged: Sequence[JudgedRanks],
    subsets: Iterable[np.ndarray],
    metrics: Definitions,
    cutoffs: Collection[Cutoff],
    undefined_users: str = "zero",
    threads: int = 1,
) -> tuple[list[str], np.ndarray]:
    """Return the columns ``metric@k``, and their means over users: subsets x columns x systems.

    judged : the rank table of every system, of the same test rows. subsets : masks over these rows as they were given.
    A user without a judgement is undefined. Metrics of lists depend on other things too and are left out.
    """
    added = {name: definition for name, definition in metrics.items() if adds_up(definition)}
    others = {name: definition for name, definition in metrics.items() if name not in added}
    sweep = Sweep(judged, added, cutoffs, undefined_users)

    def work(keep: np.ndarray) -> tuple[np.ndarray, list[dict[str, float]]]:
        in_full = [mean_values(Thinned(table, keep[table.order])) for table in judged] if others else []
        return sweep.means(keep).T, in_full

    def mean_values(table: JudgedRanks) -> dict[str, float]:
        means = summarise(evaluate(table, others, cutoffs), others, cutoffs, undefined_users)
        return {column: mean.value for column, mean in means.items()}

    subsets = iter(subsets)
    found: list[tuple[np.ndarray, list[dict[str, float]]]] = []
    with ThreadPoolExecutor(threads) as pool:
        while batch := list(islice(subsets, MASKS_AT_A_TIME)):
            found += pool.map(work, batch)
    means, in_full = zip(*found, strict=True)
    shared = [column for column in in_full[0][0] if all(column in of for of in in_full[0])] if others else []
    rest = [[[of[column] for of in subset] for column in shared] for subset in in_full]
    return sweep.columns + shared, np.concatenate([means, rest], axis=1) if shared else np.array(means)


def robustness(full: ArrayLike, thinned: ArrayLike) -> np.ndarray:
    """Return tau-b between the order of systems on the full test set and on thinned ones.

    full : ... x systems. thinned : the same with axes in front. NaN where one of the orders is undefined: all systems
    have the same mean, as when no judgement is left within the cut-off.
    """
    return tau_b(full, thinned)
