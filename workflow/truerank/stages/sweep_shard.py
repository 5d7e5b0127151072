"""Sweep some of the thinned test sets: how well every metric keeps the order of models on them."""

import numpy as np

from truerank.artefacts.files import counted, write_arrays
from truerank.artefacts.split import Split
from truerank.core.robustness import sweep_sets
from truerank.meta.thinned_sets import labels_of, share_of_sets
from truerank.stages import Files, Settings
from truerank.stages.ranked_users import read_ranked_users


def sweep_shard(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write tau-b of every thinned set of the shard with the whole test set, of all users and of resamples of them.

    The sets are shared out, by fraction, and not the users, of whom some are in memory at a time. settings :
    ``metrics``, ``cutoffs``, ``evaluation``, ``robustness``, ``seed``; ``shards``, how many there are.
    """
    split, labels = Split.of(inputs), labels_of(settings.robustness)
    own = share_of_sets(labels, int(settings.names[-1]), settings.shards)
    rules = settings.metrics, settings.cutoffs, settings.evaluation, settings.robustness, settings.names[:-1]
    ranked, degree = read_ranked_users(inputs.ranks, split), counted(split.train, "item", split.n_items)
    found = sweep_sets(ranked, degree, [labels[place] for place in own], *rules, settings.seed, settings.threads)
    arrays = {"sets": np.array(own, int)}
    for number, of_rule in enumerate(found):
        named = {"columns": np.array(of_rule.columns), "tau": of_rule.tau, "resampled": of_rule.resampled}
        arrays |= {f"{name}_{number}": values for name, values in named.items()}
    write_arrays(outputs.sweep_shards, arrays)
