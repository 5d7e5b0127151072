"""Check a study's config before any job starts."""

import math
from pathlib import Path

import jsonschema
import yaml

from truerank.errors import UserError
from truerank.estimators.base import UNIFORM
from truerank.estimators.make import applies, fits
from truerank.metrics.evaluation import members, needs
from truerank.metrics.listed import Bound
from truerank.models.left_out import why_left_out
from truerank.registry import DATASETS, ESTIMATORS, METRICS, MODELS, SAMPLERS, SPLITS, unknown
from truerank.study import PARTS

SCHEMA = Path(__file__).parents[1] / "schemas" / "config.schema.yaml"
SHARED = {"models": "calibration", "metrics": "relevance"}  # what a definition may set whatever its kind
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


def check_config(config, sources=()):
    """Raise UserError at the first thing that is wrong.

    sources : the config files, the last one winning, in which the offending line is looked for.
    """
    try:
        schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
        check_shape(config, schema, ())
        check_finite(config, ())
        for section, registry, kind in (
            ("datasets", DATASETS, "source"),
            ("splits", SPLITS, "kind"),
            ("models", MODELS, "kind"),
            ("metrics", METRICS, "kind"),
            ("samplers", SAMPLERS, "kind"),
            ("estimators", ESTIMATORS, "kind"),
        ):
            shared = {SHARED[section]: schema["$defs"][SHARED[section]]} if section in SHARED else {}
            check_definitions(config.get(section, {}), registry, kind, section, shared)
        check_priors(config.get("estimators", {}))
        check_selection(config)
        if "sampling" in config["select"]:
            check_sampling(config, config["select"]["sampling"])
    except ConfigError as mistake:
        raise UserError(f"{locate(mistake.path, sources)}: {mistake}") from None


class ConfigError(Exception):
    """What is wrong with the config, and the path of keys to it."""

    def __init__(self, path, sentence):
        super().__init__(sentence)
        self.path = path


def check_shape(content, schema, path):
    """Check ``content`` against a JSON schema and tell the error nearest to the root."""
    errors = Validator(schema).iter_errors(content)
    error = min(errors, key=lambda error: (len(error.absolute_path), str(error.absolute_path)), default=None)
    if error is None:
        return
    path = (*path, *error.absolute_path)
    if error.validator == "additionalProperties":
        extra = next(key for key in error.instance if key not in error.schema.get("properties", {}))
        raise ConfigError((*path, extra), unknown(f"key in {dotted(path)}", extra, sorted(error.schema["properties"])))
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        raise ConfigError(path, f"key {missing!r} is missing from {dotted(path)}; add it")
    if error.validator == "minProperties":
        raise ConfigError(path, f"{dotted(path)} names no part to run; add one of {', '.join(PARTS)}")
    if error.validator in ("uniqueItems", "minItems"):
        flaw = "has an entry twice" if error.validator == "uniqueItems" else "is empty"
        raise ConfigError(path, f"{dotted(path)} {flaw}, expected different names, at least one; correct the list")
    if "propertyNames" in error.absolute_schema_path:
        rule = "at most 50 characters, none of / { }, no dot in front, no dataset called index"
        raise ConfigError((*path, error.instance), f"{error.instance!r} cannot name a file ({rule}); choose another")
    raise ConfigError(path, f"{dotted(path)} is {error.instance!r}, expected {expected(error.schema)}; correct it")


def expected(schema):
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


def check_finite(content, path):
    """Refuse NaN and infinity, which no comparison in a schema catches."""
    if isinstance(content, float) and not math.isfinite(content):
        raise ConfigError(path, f"{dotted(path)} is {content}, expected a finite number; correct it")
    entries = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in entries:
        check_finite(value, (*path, key))


def check_definitions(definitions, registry, kind, section, shared):
    """Check that every definition names a registered kind and sets only what that kind has, or all kinds share."""
    for name, definition in definitions.items():
        path = (section, name)
        entry = find(registry.noun, definition[kind], registry.names, (*path, kind)) and registry[definition[kind]]
        shape = entry.schema | {"properties": entry.schema["properties"] | shared}
        check_shape({key: value for key, value in definition.items() if key != kind}, shape, path)
        for setting in entry.facts.get("inputs", ()):
            file = definition.get(setting)
            if file is not None and not Path(file).is_file():
                found = "is a folder" if Path(file).is_dir() else f"does not exist in {Path.cwd()}"
                key = (*path, setting)
                raise ConfigError(key, f"{dotted(key)} is {file!r}, which {found}, expected a file; correct the path")


def check_selection(config):
    """Check that everything selected is defined."""
    select = config["select"]
    for i, dataset in enumerate(select["datasets"]):
        find("dataset", dataset, config["datasets"], ("select", "datasets", i))
    parts = [part for part in PARTS if part in select]
    rules = {(select[part]["split"], str(select[part].get("relevance", config["relevance"]))) for part in parts}
    if len(rules) > len({split for split, _ in rules}):
        key = ("select", parts[-1], "relevance")
        raise ConfigError(
            key, f"{dotted(key)} differs from the other part's on the same split; use two splits, or one rule"
        )
    for part in parts:
        find("split", select[part]["split"], config["splits"], ("select", part, "split"))
        for i, model in enumerate(select[part]["models"]):
            find("model", model, config["models"], ("select", part, "models", i))
        for dataset in select["datasets"]:
            check_models(config, part, dataset)
        names = {name: {"kind": name} for name in METRICS.names} | config.get("metrics", {})
        for i, metric in enumerate(select[part]["metrics"]):
            path = ("select", part, "metrics", i)
            find("metric", metric, names, path)
            if needs(METRICS[names[metric]["kind"]]) == "values":
                check_members(metric, names, select[part]["metrics"], path)


def check_models(config, part, dataset):
    """Check that a dataset can have one of the selected models at least."""
    models, settings = config["select"][part]["models"], config["datasets"][dataset]
    reasons = [why_left_out(config["models"][name], settings) for name in models]
    if all(reasons):
        key = ("select", part, "models")
        raise ConfigError(key, f"{dotted(key)}: none can be had on {dataset!r} ({reasons[0]}); select another")


def check_members(metric, names, selected, path):
    """Check that the metrics which a metric is made of are selected, and have an upper bound to be divided by."""
    for member in members(names[metric]):
        find("metric", member, names, path)
        if member not in selected:
            raise ConfigError(path, f"{dotted(path)}: {metric} is made of {member!r}, which is not selected; add it")
        facts = METRICS[names[member]["kind"]].facts
        low, high = facts["range"]
        bounded = isinstance(high, Bound) or math.isfinite(high)
        if not (facts["higher_is_better"] and low == 0 and bounded) or facts.get("needs") == "values":
            wanted = "expected a metric that is better when higher, from 0 up to a bound; choose another"
            raise ConfigError(path, f"{dotted(path)}: {metric} is made of {member!r}, {wanted}")


def check_priors(estimators):
    """Check that every prior is uniform or fitted by an estimator for sets of one size."""
    fitting = [name for name, made in estimators.items() if fits(made) and applies(made, {"kind": "uniform"})]
    for name, definition in estimators.items():
        if "prior" in definition:
            find("prior", definition["prior"], [UNIFORM, *fitting], ("estimators", name, "prior"))


def check_sampling(config, part):
    """Check that samplers and estimators are defined, and that each has one that it goes with."""
    path = ("select", "sampling")
    for section in ("samplers", "estimators"):
        for i, name in enumerate(part.get(section, ())):
            find(section.removesuffix("s"), name, config.get(section, {}), (*path, section, i))
    pairs = [
        (sampler, estimator)
        for sampler in part.get("samplers", ())
        for estimator in part.get("estimators", ())
        if applies(config["estimators"][estimator], config["samplers"][sampler])
    ]
    for i, name in enumerate(part.get("estimators", ())):
        if name not in {estimator for _, estimator in pairs}:
            raise ConfigError((*path, "estimators", i), f"estimator {name!r} goes with no selected sampler; add one")
    for i, name in enumerate(part.get("samplers", ())):
        of_users = SAMPLERS[config["samplers"][name]["kind"]].facts["gives"] == "users"
        if not of_users and name not in {sampler for sampler, _ in pairs}:
            raise ConfigError((*path, "samplers", i), f"sampler {name!r} goes with no selected estimator; add one")


def find(noun, name, names, path):
    if name not in names:
        raise ConfigError(path, f"{dotted(path)}: {unknown(noun, name, sorted(names))}")
    return name


def dotted(path):
    return ".".join(str(key) for key in path if not isinstance(key, int)) or "the config"


def locate(path, sources):
    """Return the config file and line that set the key at ``path`` or, failing that, the nearest key above it."""
    for depth in range(len(path), 0, -1):
        for source in reversed(list(sources)):
            with open(source, encoding="utf-8") as handle:
                line = line_of(yaml.compose(handle, yaml.SafeLoader), path[:depth])
            if line:
                return f"{source}, line {line}"
    return str(sources[-1]) if sources else "config"


def line_of(node, path):
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
