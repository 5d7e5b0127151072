"""Test every pair of models under every metric, and say how well each metric tells models apart."""

from truerank.artefacts.files import REAL, TEXT, TRUTH, WHOLE, read_table, write_table
from truerank.artefacts.rank_table import same_lists
from truerank.core.measured import measured
from truerank.core.power import power_of
from truerank.core.significance import compare_all
from truerank.provenance import generator
from truerank.stages import Files, Settings

SIGNIFICANCE = {"metric": TEXT, "k": TEXT, "model_a": TEXT, "model_b": TEXT, "difference": REAL, "ci_low": REAL}
SIGNIFICANCE |= {"ci_high": REAL, "effect_size": REAL, "p_value": REAL, "p_holm": REAL, "p_fdr": REAL}
POWER = {"metric": TEXT, "k": TEXT, "dp": REAL, "dp_ordered": REAL, "same_pairs": WHOLE, "dp_low": REAL}
POWER |= {"dp_high": REAL, "separated": WHOLE, "criterion": REAL, "criterion_se": REAL, "in_best_set": TRUTH}
BEST_SET = {"metric": TEXT, "k": TEXT, "judges": TEXT, "distance": REAL, "critical": REAL, "stability": REAL}


def test_significance(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the tests of all pairs under all metrics, how well each metric tells models apart, and the best set.

    settings : ``model_names``, ``metrics``, ``undefined_users``, ``significance`` with its draws, ``seed``.
    """
    per_user, ratings = read_table(inputs.per_user), read_table(inputs.test, ["user"])["user"].value_counts()
    users, tables = measured(per_user, settings.metrics, settings.undefined_users, ratings)
    draws, threads = settings.significance["draws"], settings.threads
    rng = generator(settings.seed, "test_significance", *settings.names)
    pairs, tested = compare_all(tables, users, draws, rng, threads)
    alike = same_lists(dict(zip(settings.model_names, inputs.lists, strict=True)))
    rng = generator(settings.seed, "test_significance", *settings.names, "power")
    found = power_of(tables, tested, alike, rng, threads)
    write_table(outputs.significance, pairs, SIGNIFICANCE)
    write_table(outputs.discriminative_power, found.power, POWER)
    write_table(outputs.best_set, found.best, BEST_SET)
