"""Test every pair of models under every metric, and say how well each metric tells models apart."""

import numpy as np

from truerank.artefacts.files import REAL, TEXT, TRUTH, WHOLE, read_arrays, write_table
from truerank.artefacts.rank_table import same_lists
from truerank.core.power import power_of
from truerank.core.significance import p_values, with_p_values
from truerank.meta.criterion import Criterion
from truerank.provenance import generator
from truerank.stages import Files, Settings
from truerank.stages.measured_users import read_users

SIGNIFICANCE = {"metric": TEXT, "k": TEXT, "model_a": TEXT, "model_b": TEXT, "difference": REAL, "ci_low": REAL}
SIGNIFICANCE |= {"ci_high": REAL, "effect_size": REAL, "p_value": REAL, "p_holm": REAL, "p_fdr": REAL}
POWER = {"metric": TEXT, "k": TEXT, "dp": REAL, "dp_ordered": REAL, "same_pairs": WHOLE, "dp_low": REAL}
POWER |= {"dp_high": REAL, "separated": WHOLE, "criterion": REAL, "criterion_se": REAL, "in_best_set": TRUTH}
BEST_SET = {"metric": TEXT, "k": TEXT, "judges": TEXT, "distance": REAL, "critical": REAL, "stability": REAL}


def test_significance(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the tests of all pairs under all metrics, how well each metric tells models apart, and the best set.

    settings : ``model_names``, ``metrics``, ``undefined_users``, ``significance`` with its draws, ``seed``.
    """
    users, shards = read_users(inputs, settings), [read_arrays(path) for path in inputs.flip_shards]
    extreme = np.sum([shard["extreme"] for shard in shards], axis=0)
    p = p_values(users, extreme, settings.significance["draws"])
    pairs, _ = with_p_values(users, p)
    alike = same_lists(dict(zip(settings.model_names, inputs.lists, strict=True)))
    again = [Criterion(*own) for shard in shards for own in zip(shard["values"], shard["covariance"], strict=True)]
    rng = generator(settings.seed, "test_significance", *settings.names, "power")
    found = power_of(users, p, alike, again, rng, settings.threads)
    write_table(outputs.significance, pairs, SIGNIFICANCE)
    write_table(outputs.discriminative_power, found.power, POWER)
    write_table(outputs.best_set, found.best, BEST_SET)
