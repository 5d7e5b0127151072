"""Search for the settings of one recommender that do best on rows held out of the training part."""

import logging
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from truerank.artefacts.files import readable, write_json, write_table
from truerank.artefacts.split import Split
from truerank.core.training import check_memory
from truerank.core.tuning import HeldOut, cut_in_two
from truerank.errors import UserError
from truerank.metrics._core.evaluation import columns_of, needs
from truerank.provenance import generator, sha256
from truerank.registry import METRICS, MODELS, Definition
from truerank.stages import Files, Settings
from truerank.stages.journal import Journal
from truerank.tuning.search import Range, Space, Trial, TrialError, best, search

log = logging.getLogger(__name__)


def tune_model(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the settings that did best to ``tuning``, JSON, and all that were tried to ``trials``, Parquet.

    settings : the definition of the ``model``, whose ``tune`` has the spaces; ``tuning``: trials, metrics (one), k and
    validation; ``evaluation``: ties, candidates, relevance and undefined_users of the study; ``seed``; ``code``, the
    fingerprint of this stage. Settings with which the model cannot be trained have no value. Finished trials are kept
    beside the output until the search ends.
    """
    tuning, model = settings.tuning, settings.model
    folder = Path(outputs.tuning).with_name(f".{Path(outputs.tuning).name}.unfinished")
    journal = Journal(folder / "trials.json", all_that_counts(inputs, settings))
    ((metric, metric_definition),) = tuning["metrics"].items()
    (column,) = columns_of(metric, metric_definition, [tuning["k"]])
    higher = METRICS.of(metric_definition).facts.higher_is_better
    unused = {"tune"} if needs(METRICS.of(metric_definition)) == "predictions" else {"tune", "calibration"}
    fixed = {key: value for key, value in model.items() if key not in unused}
    held_out = held_out_rows(inputs, settings)
    found: list[Trial] = []

    def value_of(chosen: dict[str, Any]) -> float | None:
        # Checked apart: settings for which memory lacks today are no worse than others, so the search must stop.
        needed = MODELS.make(fixed | chosen).bytes_needed(held_out.history)
        check_memory(model, settings.names[-1], needed, held_out.history)
        try:
            return held_out.value(fixed | chosen)
        except UserError as failure:
            log.info("%s: %s", chosen, failure)
            raise TrialError(failure) from failure

    rng = generator(settings.seed, "tune_model", *settings.names)
    for trial in search(spaces_of(model), value_of, tuning["trials"], rng, higher, journal.read()):
        found.append(trial)
        journal.write(found)
        log.info("trial %d of %d, %s: %s = %s", len(found), tuning["trials"], trial.settings, column, trial.value)
    number = best(found, higher)
    if number is None:
        shutil.rmtree(folder)
        raise no_value(column, settings.names, found[-1].failure)
    best_trial = {"settings": found[number].settings, "value": found[number].value, "trial": number + 1}
    chosen = {"metric": column, **best_trial, "trials": len(found), "validation": tuning["validation"]}
    write_json(outputs.tuning, chosen)
    write_table(outputs.trials, trial_table(found))
    shutil.rmtree(folder)


def all_that_counts(inputs: Files, settings: Settings) -> list:
    """Return all that a search depends on: trials of another one are not to be taken over."""
    named = {name: getattr(settings, name) for name in ("model", "tuning", "evaluation", "names", "seed")}
    paths = inputs.train, inputs.user_table, inputs.item_table, inputs.facts
    return [named, [sha256(path) for path in paths], settings.code]


def held_out_rows(inputs: Files, settings: Settings) -> HeldOut:
    """Return the training rows, cut in two, with the rules by which models are measured on the second part."""
    split, tuning = Split.of(inputs), settings.tuning
    with readable(inputs.train):
        rows = pq.read_table(inputs.train)
    parts = cut_in_two(rows, split.history(), tuning["validation"], settings.names, settings.seed)
    rules = settings.names, tuning["metrics"], tuning["k"], settings.evaluation, settings.seed
    return HeldOut(*parts, split.scale, *rules)


def spaces_of(definition: Definition) -> dict[str, Space]:
    """Return what a search may try, by setting: a range, of whole numbers where the setting is one, or a list."""
    if "tune" not in definition:
        raise UserError("this model has nothing to tune; give its definition in the config a `tune`")
    settings = MODELS.of(definition).schema["properties"]
    return {
        name: space if isinstance(space, list) else Range(**space, whole=is_whole(settings[name]))
        for name, space in definition["tune"].items()
    }


def is_whole(schema: Mapping[str, Any]) -> bool:
    return any(form.get("type") == "integer" for form in schema.get("anyOf", [schema]))


def no_value(metric: str, names: tuple[str, ...], failure: str | None) -> UserError:
    """Say why no trial has a value: the last failure, or else that the rows cannot give one."""
    return UserError(
        failure
        or f"model {names[-1]!r} has no {metric} on the held-out rows of {'/'.join(names[:2])}, which may lack ratings "
        "or relevant items; choose another metric in the config's tuning"
    )


def trial_table(trials: Sequence[Trial]) -> dict[str, list]:
    """Return the columns trial, every setting, and value; a setting is text if its values are of several types."""
    columns: dict[str, list] = {"trial": list(range(1, len(trials) + 1))}
    for name in trials[0].settings:
        values = [trial.settings[name] for trial in trials]
        kinds = {kind_of(value) for value in values if value is not None}
        columns[name] = [str(value) for value in values] if len(kinds) > 1 else values
    return columns | {"value": [trial.value for trial in trials]}


def kind_of(value: Any) -> type:
    return next(kind for kind in (bool, str, object) if isinstance(value, kind))
