"""Check what a study says of tuning: what may be searched for, how, and by which metric."""

from collections.abc import Mapping
from typing import Any

from truerank.config.validation import ConfigError, Keys, check_shape, dotted, find
from truerank.metrics._core.evaluation import needs
from truerank.registry import METRICS, MODELS, Definitions

NUMBERS = ("integer", "number")


def check_tuning(config: Mapping[str, Any]) -> None:
    """Check the spaces of all models, and the study's metric and held-out rows against what these models can give."""
    tuned = {name: definition for name, definition in config["models"].items() if "tune" in definition}
    for name, definition in tuned.items():
        path = ("models", name, "tune")
        settings = MODELS.of(definition).schema["properties"]
        if not definition["tune"]:
            raise ConfigError(path, f"{dotted(path)} names no setting to search for; add one, or delete the key")
        for setting, space in definition["tune"].items():
            find("setting", setting, settings, (*path, setting))
            check_space(space, settings[setting], (*path, setting))
    check_metric(config, tuned)
    check_validation(config)


def check_space(space: Any, setting: Mapping[str, Any], path: Keys) -> None:
    """Check a range or a list of choices against the JSON schema of the setting that it is for."""
    forms = [form for form in setting.get("anyOf", [setting]) if form.get("type") in NUMBERS]
    if isinstance(space, list):
        check_shape(space, {"type": "array", "items": setting, "minItems": 1, "uniqueItems": True}, path)
        if any(isinstance(choice, list | dict) for choice in space):
            raise ConfigError(path, f"{dotted(path)} has a choice that is no single value; leave it out")
    elif isinstance(space, dict) and forms:
        limits = {"low": forms[0], "high": forms[0], "log": {"type": "boolean"}}
        required = {"required": ["low", "high"], "additionalProperties": False}
        check_shape(space, {"type": "object", "properties": limits} | required, path)
        if space["low"] >= space["high"]:
            raise ConfigError(path, f"{dotted(path)} has low {space['low']}, expected less than high; correct it")
        if space.get("log") and space["low"] <= 0:
            raise ConfigError(path, f"{dotted(path)} has low {space['low']}, expected above 0 for log; correct it")
    else:
        wanted = "a list of values" + (", or a range such as {low: 8, high: 128, log: true}" if forms else "")
        raise ConfigError(path, f"{dotted(path)} is {space!r}, expected {wanted}; correct it")


def check_metric(config: Mapping[str, Any], tuned: Definitions) -> None:
    """Check that the metric exists, is computed per user from ranks or predictions, and that tuned models can have it.

    A metric of lists, or of a whole system, says nothing about how well a model ranks.
    """
    path, name = ("tuning", "metric"), config["tuning"]["metric"]
    entry = METRICS.of(config["metrics"][find("metric", name, config["metrics"], path)])
    if needs(entry) not in ("ranks", "predictions") or entry.facts.per != "user":
        raise ConfigError(
            path, f"{dotted(path)} is {name!r}, expected a metric of ranks or predictions; choose another"
        )
    for model, definition in tuned.items():
        predicts = MODELS.of(definition).facts.predicts_ratings or "calibration" in definition
        if needs(entry) == "predictions" and not predicts:
            wanted = "add a calibration, or choose another metric"
            raise ConfigError(path, f"{dotted(path)} is {name!r}, but model {model!r} predicts no ratings; {wanted}")


def check_validation(config: Mapping[str, Any]) -> None:
    """Check that the held-out rows are a share, or a split that training rows can be cut by."""
    path, held_out = ("tuning", "validation"), config["tuning"]["validation"]
    if isinstance(held_out, str):
        splits = [name for name, split in config["splits"].items() if split["kind"] != "given"]
        find("split of training rows", held_out, splits, path)
