"""What all rules share: the checked study, wildcards limited to its names, and small look-ups."""

import re
import sys
from itertools import product

sys.path.insert(0, f"{workflow.basedir}/workflow")

from truerank.config import check_config
from truerank.errors import UserError
from truerank.estimators.make import needed_fit
from truerank.provenance import fingerprint
from truerank.registry import DATASETS, ESTIMATORS, METRICS, MODELS, SAMPLERS, SPLITS
from truerank.study import Study
from truerank.workdir import share_imports, take_over


def is_a_study(path):
    """Tell a study's file, which wins, from the defaults that this workflow reads itself."""
    return str(path) not in (f"{workflow.basedir}/workflow/defaults.yaml", f"{workflow.basedir}/config.yaml")


try:
    check_config(config, sorted(workflow.configfiles, key=is_a_study))
except UserError as mistake:
    sys.exit(f"truerank: {mistake}")

share_imports()
if workflow.is_main_process:
    take_over()

study = Study(config)


def one_of(names):
    return "|".join(map(re.escape, names))


wildcard_constraints:
    dataset=one_of(study.datasets),
    split=one_of(study.splits),
    model=one_of(config["models"]),
    sampler=one_of(config["samplers"]),
    estimator=one_of(config["estimators"]),


def definition(section):
    """Return a function from wildcards to the definition that the config's ``section`` has for them."""
    return lambda wildcards: config[section][wildcards[section.removesuffix("s")]]


def code_of(stage, registry, section, kind="kind"):
    """Return a function from wildcards to the fingerprint of the stage and of the registered piece that it runs."""

    def code(wildcards):
        return fingerprint(stage, registry[definition(section)(wildcards)[kind]].module)

    return code


def code_of_metrics(stage):
    """Return a function from wildcards to the fingerprint of the stage and of all metrics of the split."""

    def code(wildcards):
        kinds = {metric["kind"] for metric in study.metrics(wildcards.split).values()}
        return fingerprint(stage, *{METRICS[kind].module for kind in kinds})

    return code


def source_files(wildcards):
    """Return the user's own files that a dataset is read from."""
    settings = config["datasets"][wildcards.dataset]
    names = DATASETS[settings["source"]].facts.get("inputs", ())
    return [settings[name] for name in names if name in settings]


def every(*patterns, dataset=None, split=None, part=None):
    """Fill patterns with all that is selected: datasets, splits, and the models of each split, or of those given."""
    splits = [split] if split else [study.parts[part]["split"]] if part in study.parts else [] if part else study.splits
    paths = (
        expand(pattern, dataset=name, split=each, model=study.models(each, name))
        for pattern in patterns
        for name in ([dataset] if dataset else study.datasets)
        for each in splits
    )
    return list(dict.fromkeys(path for filled in paths for path in filled))


def every_of(*patterns):
    """Return a function from wildcards to the patterns filled with all that is selected for them."""
    return lambda wildcards: every(*patterns, **dict(wildcards.items()))


def of_part(part, *patterns):
    """Return a function from wildcards to the patterns filled for one part of the study; nothing if it is not run."""
    return lambda wildcards: every(*patterns, dataset=wildcards.dataset, part=part)


def every_sampled(*patterns, dataset=None, split=None, sampler=None):
    """Fill patterns with all that the sampling part selects: its models, samplers, and the estimators of each.

    ``{fit}`` stands for the estimators whose fitted P(R) others need.
    """
    part = study.sampling
    if not part or split not in (None, part["split"]):
        return []
    paths = []
    for name, each in product([dataset] if dataset else study.datasets, [sampler] if sampler else part["samplers"]):
        names = {"dataset": name, "split": part["split"], "model": study.sampled_models(name)}
        names |= {"sampler": each, "estimator": study.estimators(each), "fit": study.fits(each)}
        for pattern in patterns:
            paths += expand(pattern, **{key: names[key] for key in names if f"{{{key}}}" in pattern})
    return list(dict.fromkeys(paths))


def every_sampled_of(*patterns, needs=None):
    """Return a function from wildcards to the patterns filled for them, if their sampler needs that."""

    def paths(wildcards):
        wanted = needs in (None, study.needs(wildcards.get("sampler")))
        return every_sampled(*patterns, **dict(wildcards.items())) if wanted else []

    return paths


def fitted(pattern):
    """Return a function from wildcards to the pattern filled with the fit that the estimator needs, if it needs one."""

    def paths(wildcards):
        fit = needed_fit(wildcards.estimator, config["estimators"][wildcards.estimator])
        return expand(pattern, **(dict(wildcards.items()) | {"estimator": fit})) if fit else []

    return paths


include: "targets.smk"
