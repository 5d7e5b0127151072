"""Flip the signs of all users in some of the draws, and resample the users some of the times."""

import numpy as np

from truerank.artefacts.files import write_arrays
from truerank.core.power import criteria_of_resamples, judging
from truerank.core.significance import count_extreme
from truerank.meta.flips import share_of_draws
from truerank.meta.resampling import share_of_resamples
from truerank.provenance import generator
from truerank.stages import Files, Settings
from truerank.stages.measured_users import read_users


def flip_shard(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write how many of the draws are as extreme as what was observed, per pair of all metrics in a row, and the
    criterion of the resamples.

    What is drawn is shared out and not the users, of whom some are in memory at a time: sums of draws are larger than
    what they are of. settings : ``model_names``, ``metrics``, ``undefined_users``, ``significance`` with its draws,
    ``seed``; ``shards``, how many there are.
    """
    users, names, shard = read_users(inputs, settings), settings.names[:-1], int(settings.names[-1])
    draws = share_of_draws(settings.significance["draws"], shard, settings.shards)
    rng = generator(settings.seed, "test_significance", *names)
    extreme = count_extreme(users, rng, draws, settings.threads)
    rng = generator(settings.seed, "test_significance", *names, "resamples")
    again = criteria_of_resamples(users, rng, share_of_resamples(shard, settings.shards), settings.threads)
    n = len(judging(users))
    values = np.array([each.values for each in again]).reshape(len(again), n)
    covariance = np.array([each.covariance for each in again]).reshape(len(again), n, n)
    write_arrays(outputs.flip_shards, {"extreme": extreme, "values": values, "covariance": covariance})
