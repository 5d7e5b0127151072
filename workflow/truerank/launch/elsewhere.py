"""Jobs on machines that see no folder of the user's: whether a run has them, and what its study then cannot have."""

from collections.abc import Mapping, Sequence
from typing import Any

from snakemake_interface_executor_plugins.registry import ExecutorPluginRegistry
from snakemake_interface_executor_plugins.settings import SharedFSUsage

from truerank.launch.cluster import choices_of
from truerank.registry import MODELS

INSTEAD = "run this study on one machine or on a shared file system: docs/cluster.md"


def are_apart(workflow: Any, arguments: Sequence[str]) -> bool:
    """Tell whether jobs see no folder of the user's: they run elsewhere, and inputs and outputs are not shared.

    Snakemake corrects what is shared only after it has read the rules: everything for jobs on this machine, nothing for
    an executor that says so. A job itself is told the truth. arguments : Snakemake's.
    """
    shared = SharedFSUsage.INPUT_OUTPUT in workflow.storage_settings.shared_fs_usage
    if not workflow.is_main_process:
        return not shared
    executor = ExecutorPluginRegistry().get_plugin(choices_of(arguments).executor or "local").common_settings
    return executor.non_local_exec and (executor.implies_no_shared_fs or not shared)


def unreachable(config: Mapping[str, Any]) -> str | None:
    """Return a sentence about the first file of the user's that a job elsewhere would read, None if there is none.

    Data are read before, on the machine of the user.
    """
    if config.get("extensions"):
        return f"extensions: jobs on other machines cannot import {config['extensions'][0]!r}; {INSTEAD}"
    selected = (model for part in config["select"].values() if isinstance(part, Mapping) for model in part["models"])
    for model in selected:
        if MODELS.of(config["models"][model]).facts.inputs:
            return f"models.{model} is read from a file that jobs on other machines cannot see; {INSTEAD}"
    return None
