"""Search for the settings of one recommender that do best on rows held out of the training part."""

import logging
import shutil
from pathlib import Path

from truerank.artefacts.files import write_json, write_table
from truerank.artefacts.training_rows import read_train
from truerank.errors import UserError
from truerank.metrics._core.evaluation import columns_of, needs
from truerank.provenance import generator, sha256
from truerank.registry import METRICS, MODELS
from truerank.stages.journal import Journal
from truerank.stages.train_model import check_memory
from truerank.stages.validation import HeldOut
from truerank.tuning.search import Range, TrialError, best, search

log = logging.getLogger(__name__)


def tune_model(train, users, items, facts, definition, tuning, evaluation, names, seed, code, chosen, trials):
    """Write the settings that did best to ``chosen``, JSON, and all that were tried to ``trials``, Parquet.

    definition : of the model; its ``tune`` has the spaces. tuning : trials, metrics (one), k and validation, as
    ``Study.tuning`` has them. evaluation : ties, relevance and undefined_users of the study. names : dataset, split and
    model. code : the fingerprint of this stage. Settings with which the model cannot be trained have no value. Finished
    trials are kept beside ``chosen`` until the search ends.
    """
    folder = Path(chosen).with_name(f".{Path(chosen).name}.unfinished")
    given = {"definition": definition, "tuning": tuning, "evaluation": evaluation, "names": names, "seed": seed}
    journal = Journal(folder / "trials.json", [given, [sha256(path) for path in (train, users, items, facts)], code])
    held_out = HeldOut(folder, users, items, facts, names, tuning["metrics"], tuning["k"], evaluation, seed)
    held_out.cut(train, tuning["validation"])
    ((metric, metric_definition),) = tuning["metrics"].items()
    (column,) = columns_of(metric, metric_definition, [tuning["k"]])
    higher = METRICS.of(metric_definition).facts.higher_is_better
    unused = {"tune"} if needs(METRICS.of(metric_definition)) == "predictions" else {"tune", "calibration"}
    fixed = {key: value for key, value in definition.items() if key not in unused}
    history, found = read_train(train, users, items), []

    def value_of(settings):
        # Checked apart: settings for which memory lacks today are no worse than others, so the search must stop.
        needed = MODELS.make(fixed | settings).bytes_needed(history)
        check_memory(f"model {names[-1]!r} ({definition['kind']})", needed, history)
        try:
            return held_out.value(fixed | settings)
        except UserError as failure:
            log.info("%s: %s", settings, failure)
            raise TrialError(failure) from failure

    rng = generator(seed, "tune_model", *names)
    for trial in search(spaces_of(definition), value_of, tuning["trials"], rng, higher, journal.read()):
        found.append(trial)
        journal.write(found)
        log.info("trial %d of %d, %s: %s = %s", len(found), tuning["trials"], trial.settings, column, trial.value)
    number = best(found, higher)
    if number is None:
        shutil.rmtree(folder)
        raise no_value(column, names, found[-1].failure)
    best_trial = {"settings": found[number].settings, "value": found[number].value, "trial": number + 1}
    write_json(chosen, {"metric": column, **best_trial, "trials": len(found), "validation": tuning["validation"]})
    write_table(trials, trial_table(found))
    shutil.rmtree(folder)


def spaces_of(definition):
    """Return what a search may try, by setting: a range, of whole numbers where the setting is one, or a list."""
    if "tune" not in definition:
        raise UserError("this model has nothing to tune; give its definition in the config a `tune`")
    settings = MODELS.of(definition).schema["properties"]
    return {
        name: space if isinstance(space, list) else Range(**space, whole=is_whole(settings[name]))
        for name, space in definition["tune"].items()
    }


def is_whole(schema):
    return any(form.get("type") == "integer" for form in schema.get("anyOf", [schema]))


def no_value(metric, names, failure):
    """Say why no trial has a value: the last failure, or else that the rows cannot give one."""
    return UserError(
        failure
        or f"model {names[-1]!r} has no {metric} on the held-out rows of {'/'.join(names[:2])}, which may lack ratings "
        "or relevant items; choose another metric in the config's tuning"
    )


def trial_table(trials):
    """Return the columns trial, every setting, and value; a setting is text if its values are of several types."""
    columns = {"trial": list(range(1, len(trials) + 1))}
    for name in trials[0].settings:
        values = [trial.settings[name] for trial in trials]
        kinds = {kind_of(value) for value in values if value is not None}
        columns[name] = [str(value) for value in values] if len(kinds) > 1 else values
    return columns | {"value": [trial.value for trial in trials]}


def kind_of(value):
    return next(kind for kind in (bool, str, object) if isinstance(value, kind))
