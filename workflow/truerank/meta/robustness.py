"""Does a metric order systems alike when judgements are missing? Sweeps over sparsity and popularity."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from truerank.meta.additive import terms_and_norm, weighted_sums, weights
from truerank.meta.kendall import pair_orders, tau_b
from truerank.meta.thinned import Thinned
from truerank.metrics.evaluation import columns_of, evaluate, in_order, summarise


def random_subsets(n_rows, fraction, n_samples, rng):
    """Yield, as masks, ``n_samples`` random subsets that hold this fraction of the rows; the whole, once."""
    if fraction == 1:
        yield np.ones(n_rows, bool)
        return
    size = round(fraction * n_rows)
    for _ in range(n_samples):
        keep = np.zeros(n_rows, bool)
        keep[rng.permutation(n_rows)[:size]] = True
        yield keep


def without_popular(item, degree, fraction):
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


def mean_metrics(judged, subsets, metrics, cutoffs, undefined_users="zero", threads=1):
    """Return the columns ``metric@k``, and their means over users: subsets x columns x systems.

    judged : the rank table of every system, of the same test rows. subsets : masks over these rows as they were given.
    A user without a judgement is undefined. Metrics of lists depend on other things too and are left out.
    """
    cutoffs, k = in_order(cutoffs)
    added = {name: found for name, definition in metrics.items() if (found := terms_and_norm(definition))}
    columns = {name: columns_of(name, metrics[name], cutoffs) for name in added}
    others = {name: definition for name, definition in metrics.items() if name not in added}

    nearest = [Thinned(table, table.rank <= k[-1]) for table in judged]
    band_of = np.searchsorted(k, np.arange(1 + max(table.rank.max() for table in judged)))

    def work(keep):
        judgements = Thinned(judged[0], keep[judged[0].order])
        weight = {name: weights(norm(judgements, k)) for name, (_, norm) in added.items()}
        return [means(*tables, keep, weight) for tables in zip(judged, nearest, strict=True)]

    def means(table, near, keep, weight):
        near = Thinned(near, keep[near.order])
        band = band_of[near.rank]
        found = {}
        for name, (terms, _) in added.items():
            n_users = (weight[name] > 0).sum(axis=0) if undefined_users == "drop" else len(table.users)
            with np.errstate(invalid="ignore"):  # nobody left
                mean = weighted_sums(near.row, band, terms(near), weight[name]) / n_users
            found |= dict(zip(columns[name], mean, strict=True))
        if others:
            values = evaluate(Thinned(table, keep[table.order]), others, cutoffs)
            found |= {
                column: mean.value for column, mean in summarise(values, others, cutoffs, undefined_users).items()
            }
        return found

    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(work, subsets))
    shared = [column for column in found[0][0] if all(column in of_system for of_system in found[0])]
    return shared, np.array([[[of[column] for of in subset] for column in shared] for subset in found])


def robustness(full, thinned):
    """Return tau-b between the order of systems on the full test set and on thinned ones.

    full : ... x systems. thinned : the same with axes in front. NaN where one of the orders is undefined: all systems
    have the same mean, as when no judgement is left within the cut-off.
    """
    return tau_b(pair_orders(full), pair_orders(thinned))
