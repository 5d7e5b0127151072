"""Test every pair of models under every metric, and say how well each metric tells models apart."""

from truerank.artefacts.files import REAL, TEXT, read_table, write_table
from truerank.core.significance import pairs_and_power
from truerank.stages import Files, Settings

SIGNIFICANCE = {"metric": TEXT, "k": TEXT, "model_a": TEXT, "model_b": TEXT}
SIGNIFICANCE |= {"difference": REAL, "p_value": REAL, "p_holm": REAL}
POWER = {"metric": TEXT, "k": TEXT, "dp": REAL, "dp_ordered": REAL}


def test_significance(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the p-values of all pairs under all metrics, and their sums per metric.

    settings : ``metrics``, ``undefined_users``, ``significance`` with its draws, ``seed``.
    """
    rules = settings.metrics, settings.undefined_users, settings.significance["draws"]
    pairs, power = pairs_and_power(read_table(inputs.per_user), *rules, settings.names, settings.seed, settings.threads)
    write_table(outputs.significance, pairs, SIGNIFICANCE)
    write_table(outputs.discriminative_power, power, POWER)
