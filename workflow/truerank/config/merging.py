"""One config of three: the defaults, the default study if the user's selects nothing, and the user's own.

A definition of the user's (of a dataset, a split, a model, a metric, a sampler, an estimator) replaces a default of the
same name whole; settings are merged key by key.
"""

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from truerank.registry import DATASETS, ESTIMATORS, METRICS, MODELS, SAMPLERS, SPLITS, Registry
from truerank.workflow_files import DEFAULT_STUDY

DEFAULTS = Path(__file__).with_name("defaults.yaml")
SECTIONS: dict[str, Registry[Any]] = {
    "datasets": DATASETS,
    "splits": SPLITS,
    "models": MODELS,
    "metrics": METRICS,
    "samplers": SAMPLERS,
    "estimators": ESTIMATORS,
}


def read_yaml(path: Path) -> dict[str, Any]:
    """Return what a file of ours holds, by the parser in C where PyYAML has it: the other takes a tenth of a second."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), loader)  # noqa: S506  a safe loader, either way


def read_defaults() -> dict[str, Any]:
    return read_yaml(DEFAULTS)


def merged(own: Mapping[str, Any]) -> tuple[dict[str, Any], list[Path]]:
    """Return the whole config, and the files that it is of besides the user's, those that win last."""
    config, sources = read_defaults(), [DEFAULTS]
    if "select" not in own:
        config |= read_yaml(DEFAULT_STUDY)
        sources.append(DEFAULT_STUDY)
    for key, value in copy.deepcopy(dict(own)).items():
        below = config.get(key)
        config[key] = below | value if isinstance(below, dict) and isinstance(value, dict) else value
    return normalised(config), sources


def normalised(config: dict[str, Any]) -> dict[str, Any]:
    """Return the config with every definition as a mapping, and with one for every registered name that needs none.

    ``mine: ease`` stands for ``mine: {kind: ease}``. What is no definition at all is left for the checks to find.
    """
    for section, registry in SECTIONS.items():
        named = config.get(section, {})
        if isinstance(named, dict):
            plain = {entry.name: registry.named(entry.name) for entry in registry if not entry.schema["required"]}
            given = {name: registry.named(of) if isinstance(of, str) else of for name, of in named.items()}
            config[section] = given | {name: definition for name, definition in plain.items() if name not in given}
    return config


def replaced(own: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the definitions of the defaults that the user's replace, as section and name."""
    defaults = read_defaults()
    named = {section: own[section] for section in SECTIONS if isinstance(own.get(section), dict)}
    return [
        (section, name)
        for section, definitions in named.items()
        for name, definition in definitions.items()
        if name in defaults[section] and definition != defaults[section][name]
    ]
