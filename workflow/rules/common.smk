"""What all rules share: the checked study, wildcards limited to its names, and the form of a rule."""

import sys
from pathlib import Path

HERE = Path(workflow.current_basedir.get_path_or_uri(secret_free=False)).parent
if (HERE / "truerank").is_dir():  # the package that these rules belong to, in a module too; else it is around them
    sys.path.insert(0, str(HERE))
    if getattr(sys.modules.get("truerank"), "__file__", None) != str(HERE / "truerank" / "__init__.py"):
        for name in [name for name in sys.modules if name.partition(".")[0] == "truerank"]:
            del sys.modules[name]  # of the logger plugin's environment, which may have another

from truerank.artefacts.pages import TEMPLATES
from truerank.config.checks import check_config
from truerank.config.merging import merged, replaced
from truerank.config.rules import Rules, limits, one_of, tables
from truerank.config.study import Study
from truerank.config.together import groups_of
from truerank.errors import UserError
from truerank.extensions import use_extensions
from truerank.launch.elsewhere import are_apart, unreachable
from truerank.launch.failed_jobs import run_failed_again
from truerank.launch.pace import lift_default_limit, limit_pauses
from truerank.launch.unchanged import listen
from truerank.launch.workdir import hold_folder, share_imports
from truerank.stages.handing_over import allow_warm_starts
from truerank.workflow_files import CAPTIONS, NOTEBOOKS, PUBLISHED

in_bucket = workflow.storage_settings.default_storage_provider is not None
# Whether jobs see no folder of the user's; then this machine reads the data.
apart = in_bucket and are_apart(workflow, sys.argv[1:])

try:
    use_extensions(config.get("extensions"))
    for section, name in replaced(config):
        logger.info(f"{section}.{name} replaces the default of that name")
    config, sources = merged(config)
    if workflow.is_main_process:  # a job elsewhere has no files of the user's to check
        check_config(config, [*sources, *workflow.configfiles])
        if apart and (flaw := unreachable(config)):
            raise UserError(flaw)
        hold_folder()
        if not in_bucket:
            listen(workflow, logger)
except UserError as mistake:
    sys.exit(f"truerank: {mistake}")

share_imports()
if not workflow.subprocess_exec:  # a job on a cluster has inherited the permission of another machine's process
    allow_warm_starts(local=workflow.is_main_process)

study = Study(config)


def own_files(setting):
    """Return a function from wildcards to files of the user's own, which stay where they are if results go to a bucket."""
    return lambda wildcards: local(study.setting(setting, wildcards))


def stored(**folders):
    """Return folders of files beside a page as outputs if results go to a bucket, which has no other way to know them."""
    return {name: directory(folder) for name, folder in folders.items()} if in_bucket else {}


wildcard_constraints:
    dataset=one_of(study.datasets),
    split=one_of([*study.splits, *study.derived_splits]),
    model=one_of(config["models"]),
    sampler=one_of(config["samplers"]),
    estimator=one_of(config["estimators"]),
    paper=one_of(study.papers),
    shard="[0-9]+",


# A job that starts has no earlier output here to keep if it is in a bucket.
declared = Rules(study, keep=(lambda path: path) if in_bucket else update)
reads, writes, settings, targets = declared.reads, declared.writes, declared.settings, declared.targets
log_of, benchmark_of = declared.log_of, declared.benchmark_of


def reported(path, rule, dataset, category="Reports"):
    """Return an output that ``snakemake --report`` presents, with the caption that is named after the rule."""
    return report(path, caption=f"{CAPTIONS}/{rule}.rst", category=category, labels={"dataset": dataset})


report: f"{CAPTIONS}/workflow.rst"


onstart:
    lift_default_limit(workflow)
    limit_pauses(workflow)


onerror:
    if not in_bucket:  # where outputs are not put back, and receipts are not here
        run_failed_again(workflow)
