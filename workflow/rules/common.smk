"""What all rules share: the checked study, wildcards limited to its names, and small look-ups."""

import re
import sys
from itertools import product
from pathlib import Path

HERE = Path(workflow.current_basedir.get_path_or_uri(secret_free=False)).parent  # this folder, in a module too
sys.path.insert(0, str(HERE))

from truerank.config.checks import check_config
from truerank.config.merging import merged, replaced
from truerank.errors import UserError
from truerank.estimators._core.make import needed_fit
from truerank.extensions import use_extensions
from truerank.models.run import run_path
from truerank.provenance import fingerprint, sha256
from truerank.registry import DATASETS, ESTIMATORS, METRICS, MODELS, SAMPLERS, SPLITS
from truerank.config.study import Study
from truerank.stages.check_relevance import share_relevance
from truerank.workdir import share_imports, acquire_run_lock

try:
    use_extensions(config.get("extensions"))
    for section, name in replaced(config):
        logger.info(f"{section}.{name} replaces the default of that name")
    config, sources = merged(config)
    check_config(config, [*sources, *workflow.configfiles])
except UserError as mistake:
    sys.exit(f"truerank: {mistake}")

share_imports()
if workflow.is_main_process:
    try:
        acquire_run_lock()
    except OSError as failure:
        sys.exit(
            f"truerank: this folder cannot be written: {failure.strerror.lower()}; make room or mend the permissions"
        )

study = Study(config)
share_relevance({split: [study.relevance(split), study.relevance_key(split)] for split in study.splits})


def one_of(names):
    return "|".join(map(re.escape, names))


wildcard_constraints:
    dataset=one_of(study.datasets),
    split=one_of(study.splits),
    model=one_of(config["models"]),
    sampler=one_of(config["samplers"]),
    estimator=one_of(config["estimators"]),
    paper=one_of(study.papers) or "none",
    shard="[0-9]+",


def definition(section):
    """Return a function from wildcards to the definition that the config's ``section`` has for them."""
    return lambda wildcards: config[section][wildcards[section.removesuffix("s")]]


def if_tuned(pattern):
    """Return a function from wildcards to the pattern filled for them if the model's settings are searched for."""
    return lambda wildcards: expand(pattern, **wildcards) if "tune" in definition("models")(wildcards) else []


def source_files(wildcards):
    """Return the user's own files that a dataset is read from."""
    settings = config["datasets"][wildcards.dataset]
    names = DATASETS.of(settings).facts.inputs
    return [settings[name] for name in names if name in settings]


def memory_of_source(wildcards, attempt):
    """Return the megabytes that reading a dataset takes, and as many again each time that it is tried again."""
    source = DATASETS.of(config["datasets"][wildcards.dataset])
    return source.facts.memory_mb * attempt


def run_files(wildcards):
    """Return the file that a model is read from, if it is one that others trained."""
    settings = config["models"][wildcards.model]
    names = MODELS.of(settings).facts.inputs
    return [run_path(settings[name], wildcards.dataset, wildcards.split) for name in names]


def content_of(files):
    """Return a function from wildcards to the checksums of the user's own files.

    Their times are not to be relied on: a clock may go back, and a copy may keep an older time.
    """
    return lambda wildcards: [sha256(path) for path in files(wildcards)]


def every(*patterns, dataset=None, split=None, part=None):
    """Fill patterns with all that is selected: datasets, splits, and the models of each split, or of those given.

    ``{tuned}`` stands for the models whose settings are searched for.
    """
    splits = [split] if split else [study.parts[part]["split"]] if part in study.parts else [] if part else study.splits
    paths = []
    for name, each in product([dataset] if dataset else study.datasets, splits):
        models = study.models(each, name)
        names = {"dataset": name, "split": each, "model": models, "tuned": study.tuned(each, name)}
        paths += [path for pattern in patterns for path in fill(pattern, names)]
    return list(dict.fromkeys(paths))


def fill(pattern, names):
    """Fill a pattern with all combinations of those of ``names`` that it has."""
    return expand(pattern, **{key: names[key] for key in names if f"{{{key}}}" in pattern})


def every_of(*patterns):
    """Return a function from wildcards to the patterns filled with all that is selected for them."""
    return lambda wildcards: every(*patterns, **dict(wildcards.items()))


def of_part(part, *patterns):
    """Return a function from wildcards to the patterns filled for one part of the study; nothing if it is not run."""
    return lambda wildcards: every(*patterns, dataset=wildcards.dataset, part=part)


include: "code.smk"
include: "targets.smk"
include: "shards.smk"
