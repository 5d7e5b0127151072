"""Judge samplers and estimators by the exact ranks: errors, orders, winners, cost."""

from functools import partial

from truerank.artefacts.counted_samples import read_samples
from truerank.artefacts.files import REAL, TEXT, TRUTH, WHOLE, read_json, read_table, write_frames
from truerank.artefacts.test_instances import read_some_ranks
from truerank.core.judging import judgement
from truerank.core.sampling_cost import FIGURES
from truerank.stages import Files, Settings

ABOUT = {"sampler": TEXT, "estimator": TEXT, "metric": TEXT, "k": TEXT}
ACCURACY = {"sampler": TEXT, "estimator": TEXT, "model": TEXT, "metric": TEXT, "k": TEXT}
ACCURACY |= dict.fromkeys(("exact", "mean", "sd", "relative_error"), REAL)
ERROR = {"sampler": TEXT, "estimator": TEXT, "model": TEXT, "metric": TEXT, "cutoffs": WHOLE}
ERROR |= {"error": REAL, "error_sd": REAL}
ORDER = ABOUT | {"model_a": TEXT, "model_b": TEXT, "right": WHOLE, "repeats": WHOLE}
WINNER = ABOUT | dict.fromkeys(("right_top1", "right_top2", "repeats"), WHOLE)
MAPPED = {"sampler": TEXT, "mapping": TEXT, "k": TEXT, "f": WHOLE, "winner": TEXT, "right": WHOLE, "repeats": WHOLE}
USER_SAMPLING = {"sampler": TEXT, "model": TEXT, "metric": TEXT, "k": TEXT}
USER_SAMPLING |= dict.fromkeys(("exact", "mean", "sd", "relative_error"), REAL)
USER_SAMPLING |= {"normal_half": REAL, "normal_covered": WHOLE, "hoeffding_half": REAL, "hoeffding_covered": WHOLE}
USER_SAMPLING |= {"repeats": WHOLE}
USER_TESTS = {"sampler": TEXT, "metric": TEXT, "k": TEXT, "model_a": TEXT, "model_b": TEXT}
USER_TESTS |= dict.fromkeys(("one_sided", "two_sided", "wrong", "repeats"), WHOLE)
BOUNDS = {"sampler": TEXT, "estimator": TEXT, "model": TEXT, "metric": TEXT, "k": TEXT}
BOUNDS |= dict.fromkeys(("estimate", "interval", "bound_low", "bound_high"), REAL) | {"identified": TRUTH}
COST = {"sampler": TEXT, "model": TEXT, "scores": REAL, "per_instance": REAL, "expected": REAL, "share": REAL}
EFFORT = {"sampler": TEXT, "model": TEXT, "size": WHOLE} | dict.fromkeys(FIGURES, REAL)
TABLES = {"accuracy": ACCURACY, "order": ORDER, "winner": WINNER, "mapped": MAPPED, "cost": COST, "effort": EFFORT}
TABLES |= {"error": ERROR, "bounds": BOUNDS, "user_sampling": USER_SAMPLING, "user_tests": USER_TESTS}


def judge_sampling(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write accuracy, error, bounds, order, winner, winners of mapped recall, cost, effort, user sampling and tests.

    settings : the definitions of ``samplers``, ``estimated`` pairs of a sampler and an estimator, ``model_names``,
    ``metrics``, ``cutoffs``, ``relevance``. Some instances are in memory at a time, with all that were chosen.
    """
    ranked = partial(read_some_ranks, inputs.ranks, settings.relevance)
    samples = {name: read_samples(path) for name, path in zip(settings.samplers, inputs.samples, strict=True)}
    pairs = zip(settings.estimated, inputs.estimates, strict=True)
    estimates = {tuple(pair): read_table(path) for pair, path in pairs}
    rules = settings.samplers, settings.model_names, settings.metrics, settings.cutoffs
    n_items = read_json(inputs.facts)["items"]
    for name, frames in judgement(ranked, samples, estimates, *rules, n_items, settings.threads).items():
        write_frames(getattr(outputs, name), frames, TABLES[name])
