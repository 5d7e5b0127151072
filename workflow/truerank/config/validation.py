"""Compare what a config says with the shape that it should have, and say what is wrong, and on which line."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import yaml

from truerank.json_schema import jsonschema
from truerank.provenance import PathLike
from truerank.registry import unknown

Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    # The draft takes 10.0 for an integer; a function that slices by it does not.
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)
NOUNS = {
    "integer": "a whole number",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "null",
}
Keys = tuple[str | int, ...]  # from the root of the config down to what is meant


class ConfigError(Exception):
    """What is wrong with the config, and the path of keys to it."""

    def __init__(self, path: Keys, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path


def check_shape(content: Any, schema: Mapping[str, Any], path: Keys) -> None:
    """Check ``content`` against a JSON schema and tell the error nearest to the root."""
    errors = Validator(schema).iter_errors(content)
    error = min(errors, key=lambda error: (len(error.absolute_path), str(error.absolute_path)), default=None)
    if error is None:
        return
    path = (*path, *error.absolute_path)
    if error.validator == "anyOf" and isinstance(error.instance, dict):
        for choice in error.validator_value:  # a mapping that may be left out: what is wrong within it
            if choice.get("type") == "object":
                check_shape(error.instance, choice, path)
    if error.validator == "additionalProperties":
        extra = next(key for key in error.instance if key not in error.schema.get("properties", {}))
        raise ConfigError((*path, extra), unknown(f"key in {dotted(path)}", extra, sorted(error.schema["properties"])))
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        raise ConfigError(path, f"key {missing!r} is missing from {dotted(path)}; add it")
    if error.validator == "minProperties":
        parts = [key for key in error.schema["properties"] if key not in error.schema["required"]]
        raise ConfigError(path, f"{dotted(path)} names no part to run; add one of {', '.join(parts)}")
    if error.validator in ("uniqueItems", "minItems"):
        flaw = "has an entry twice" if error.validator == "uniqueItems" else "is empty"
        what = "names" if error.schema.get("items", {}).get("type") == "string" else "values"
        raise ConfigError(path, f"{dotted(path)} {flaw}, expected different {what}, at least one; correct the list")
    if "propertyNames" in error.absolute_schema_path:
        flaw = name_flaw(error.instance, error)
        raise ConfigError((*path, error.instance), f"{error.instance!r} cannot name a file: {flaw}; choose another")
    raise ConfigError(path, f"{dotted(path)} is {error.instance!r}, expected {expected(error.schema)}; correct it")


def name_flaw(name: Any, error: jsonschema.ValidationError) -> str:
    """Say what is wrong with a name, by trying what the schema's own pattern refuses."""
    if error.validator == "type":
        is_type = Validator.TYPE_CHECKER.is_type
        found = next((noun for kind, noun in NOUNS.items() if is_type(name, kind)), f"a {type(name).__name__}")
        return f"it is {found}, expected text, that is a name in quotes"
    if error.validator != "pattern":
        return "a page of the report has that name"
    if not name:
        return "it is empty"

    def admitted(text: str) -> bool:
        return re.search(error.validator_value, text) is not None

    sign = next((sign for sign in name if not admitted(f"a{sign}a")), None)
    if sign is not None:
        return f"it has the character {sign!r}"
    if not admitted(name[0]):
        return f"it begins with {name[0]!r}"
    most = next(length for length in range(len(name), 0, -1) if admitted("a" * length))
    return f"it has {len(name)} characters, expected {most} at most"


def expected(schema: Mapping[str, Any]) -> str:
    """Say in words what a JSON schema admits."""
    if "anyOf" in schema:
        return " or ".join(expected(choice) for choice in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        choices = schema.get("enum") or [schema["const"]]
        return f"{'one of ' if len(choices) > 1 else ''}{', '.join(map(str, choices))}"
    limits = {
        "minimum": "of at least",
        "exclusiveMinimum": "above",
        "maximum": "of at most",
        "exclusiveMaximum": "below",
    }
    bounds = [f"{word} {schema[key]}" for key, word in limits.items() if key in schema]
    return " ".join([NOUNS[schema["type"]], " and ".join(bounds)]).strip()


def check_finite(content: Any, path: Keys) -> None:
    """Refuse NaN and infinity, which no comparison in a schema catches."""
    if isinstance(content, float) and not math.isfinite(content):
        raise ConfigError(path, f"{dotted(path)} is {content}, expected a finite number; correct it")
    entries = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in entries:
        check_finite(value, (*path, key))


def find(noun: str, name: str, names: Collection[str], path: Keys) -> str:
    """Return ``name`` if it is one of ``names``."""
    if name not in names:
        raise ConfigError(path, f"{dotted(path)}: {unknown(noun, name, sorted(names))}")
    return name


def dotted(path: Keys) -> str:
    return ".".join(str(key) for key in path if not isinstance(key, int)) or "the config"


def locate(path: Keys, sources: Sequence[PathLike]) -> str:
    """Return the config file and line that set the key at ``path`` or, failing that, the nearest key above it."""
    for depth in range(len(path), 0, -1):
        for source in reversed(sources):
            with open(source, encoding="utf-8") as handle:
                line = line_of(yaml.compose(handle, yaml.SafeLoader), path[:depth])
            if line:
                return f"{source}, line {line}"
    return str(sources[-1]) if sources else "config"


def line_of(node: yaml.Node | None, path: Keys) -> int | None:
    """Return the line of the key at ``path`` in a YAML node, None if it is not there."""
    line = None
    for key in path:
        if isinstance(node, yaml.MappingNode):
            line, node = next(((k.start_mark.line + 1, v) for k, v in node.value if k.value == str(key)), (None, None))
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            node = node.value[key]
            line = node.start_mark.line + 1
        else:
            return None
        if line is None:
            return None
    return line
