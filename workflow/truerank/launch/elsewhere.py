"""Jobs on machines that see no folder of the user's: what such a study cannot have."""

from collections.abc import Mapping
from typing import Any

from truerank.registry import MODELS

INSTEAD = "run this study on one machine or on a shared file system: docs/cluster.md"


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
