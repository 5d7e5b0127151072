"""What all rules share: the checked study, wildcards limited to its names, and small look-ups."""

import re
import sys

sys.path.insert(0, f"{workflow.basedir}/workflow")

from truerank.config import check_config
from truerank.errors import UserError
from truerank.provenance import fingerprint
from truerank.registry import DATASETS, METRICS, MODELS, SPLITS
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


def definition(section):
    """Return a function from wildcards to the definition that the config's ``section`` has for them."""
    wildcard = {"datasets": "dataset", "splits": "split", "models": "model"}[section]
    return lambda wildcards: config[section][wildcards[wildcard]]


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
        expand(pattern, dataset=dataset or study.datasets, split=each, model=study.models(each))
        for pattern in patterns
        for each in splits
    )
    return list(dict.fromkeys(path for filled in paths for path in filled))


def every_of(*patterns):
    """Return a function from wildcards to the patterns filled with all that is selected for them."""
    return lambda wildcards: every(*patterns, **dict(wildcards.items()))


def of_part(part, *patterns):
    """Return a function from wildcards to the patterns filled for one part of the study; nothing if it is not run."""
    return lambda wildcards: every(*patterns, dataset=wildcards.dataset, part=part)


TEMPLATE = multiext(
    f"{workflow.basedir}/workflow/truerank/report/template/",
    *("page.html.j2", "page.css", "page.js", "table.html.j2", "figure.html.j2"),
)
ARTEFACTS = [
    "results/report/{dataset}.html",
    "results/lists/{dataset}/{split}/{model}.parquet",
    "results/metrics/{dataset}/{split}/per_user.parquet",
    "results/meta/{dataset}/{split}/discriminative_power.parquet",
    "results/meta/{dataset}/{split}/correlation.parquet",
    "results/verdict/{dataset}.json",
]
META = [  # of the ranking part
    "results/meta/{dataset}/{split}/robustness.parquet",
    "results/meta/{dataset}/{split}/migration.parquet",
    "results/receipts/measure_robustness/{dataset}/{split}.json",
    "results/receipts/measure_migration/{dataset}/{split}.json",
]
SAMPLED = "sampling" if "samplers" in study.parts.get("sampling", {}) else "none"  # whose orders are judged
RECEIPTS = [
    "results/receipts/fetch_dataset/{dataset}.json",
    "results/receipts/split_interactions/{dataset}/{split}.json",
    "results/receipts/train_model/{dataset}/{split}/{model}.json",
    "results/receipts/rank_items/{dataset}/{split}/{model}.json",
    "results/receipts/evaluate_metrics/{dataset}/{split}.json",
    "results/receipts/test_significance/{dataset}/{split}.json",
    "results/receipts/correlate_metrics/{dataset}/{split}.json",
    "results/receipts/verdict/{dataset}.json",
    "results/receipts/render_report/{dataset}.json",
]
