"""The code that a job runs: its stage, and the registered pieces that its settings name."""

from collections.abc import Iterable, Mapping
from typing import Any

from truerank.config.merging import SECTIONS
from truerank.provenance import fingerprint

READER_OF_RUNS = "truerank.stages.read_run"


def code_of(stage: str, settings: Mapping[str, Any], others: Iterable[str] = ()) -> str:
    """Return the fingerprint of a stage and of all pieces that it runs. others : modules that it runs besides."""
    return fingerprint(stage, *others, *(module for name, value in settings.items() for module in modules(name, value)))


def modules(name: str, value: Any) -> list[str]:
    """Return the modules of the pieces that a setting defines: ``model`` is one definition, ``metrics`` are many."""
    if name == "tuning":
        return modules("metrics", value["metrics"]) + modules("split", value["validation"])
    if name in SECTIONS:
        return [SECTIONS[name].of(definition).module for definition in value.values()]
    section = f"{name}s"
    if section not in SECTIONS:
        return []
    entry = SECTIONS[section].of(value)
    return [entry.module, READER_OF_RUNS] if name == "model" and entry.facts.inputs else [entry.module]
