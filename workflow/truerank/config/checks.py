"""Check a study's config before any job starts."""

import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from truerank.config.merging import SECTIONS, read_yaml
from truerank.config.replicates import settings_of
from truerank.config.study import PARTS
from truerank.config.tuning import check_tuning
from truerank.config.validation import ConfigError, Keys, check_finite, check_shape, dotted, find, locate
from truerank.datasets._core.reading import parquet_files
from truerank.errors import UserError
from truerank.estimators._core.base import UNIFORM
from truerank.estimators._core.make import applies, fits, implies
from truerank.metrics._core.bounds import Bound
from truerank.metrics._core.evaluation import members, needs
from truerank.models._core.left_out import why_left_out
from truerank.models.run import run_path
from truerank.provenance import PathLike
from truerank.registry import DATASETS, METRICS, MODELS, SAMPLERS, SPLITS, Definition, Definitions, Entry, Registry
from truerank.workflow_files import PUBLISHED

SCHEMA = Path(__file__).parent / "schemas" / "config.schema.yaml"
GONE = {  # section, kind, setting and word that a config may still have -> what to write instead
    ("models", "run", "unknown", "drop"): "miss, which keeps an unknown item at its position, as a miss",
}
PLACES = ("{dataset}", "{split}")  # in the path of a run: one file for each that is selected


def check_config(config: Mapping[str, Any], sources: Sequence[PathLike] = ()) -> None:
    """Raise UserError at the first thing that is wrong.

    sources : the config files, the last one winning, in which the offending line is looked for.
    """
    try:
        schema = read_yaml(SCHEMA)
        check_shape(config, schema, ())
        check_finite(config, ())
        for section, registry in SECTIONS.items():
            shared = {name: schema["$defs"][name] for name in registry.shared}
            check_definitions(config[section], registry, section, shared)
        check_priors(config["estimators"])
        if "paper" in config:
            check_paper(config["paper"])
        check_selection(config)
        check_thresholds(config)
        check_headline(config)
        check_tuning(config)
        check_swept(config)
        check_replicates(config)
        check_by_time(config)
        if "sampling" in config["select"]:
            check_sampling(config, config["select"]["sampling"])
    except ConfigError as mistake:
        raise UserError(f"{locate(mistake.path, sources)}: {mistake}") from None


def check_definitions(
    definitions: Definitions, registry: Registry[Any], section: str, shared: Mapping[str, Any]
) -> None:
    """Check that every definition names a registered kind and sets only what that kind has, or all kinds share."""
    for name, definition in definitions.items():
        path = (section, name)
        entry = registry[find(registry.noun, definition[registry.key], registry.names, (*path, registry.key))]
        check_gone(definition, entry, path)
        comes_split = getattr(entry.facts, "comes_split", False)  # filters would break a predefined split
        common = {key: value for key, value in shared.items() if key == "items" or not comes_split}
        shape = entry.schema | {"properties": common | entry.schema["properties"]}
        check_shape(registry.settings_of(definition), shape, path)
        check_effect(definition, entry, path)
        for setting in entry.facts.inputs:
            file = definition.get(setting)
            if file is not None and not any(name in file for name in PLACES):
                check_file(file, (*path, setting), folder=setting in entry.facts.folders)
        if isinstance(definition.get("items"), str):
            check_file(definition["items"], (*path, "items"))


def check_gone(definition: Definition, entry: Entry[Any], path: Keys) -> None:
    """Refuse a word that a setting used to take, and say what to write instead."""
    for (section, kind, setting, word), instead in GONE.items():
        if (section, kind) == (path[0], entry.name) and definition.get(setting) == word:
            key = (*path, setting)
            raise ConfigError(key, f"{dotted(key)} is {word!r}, which no longer exists; write {instead}")


def check_effect(definition: Definition, entry: Entry[Any], path: Keys) -> None:
    """Refuse a setting that has no effect beside another one, as ``only_with`` of the kind's facts says."""
    tried = definition.get("tune", {})
    for setting, (other, values) in entry.facts.only_with.items():
        found = definition.get(other, entry.settings[other].default)
        if (setting in definition or setting in tried) and found not in values and other not in tried:
            key = (*path, setting) if setting in definition else (*path, "tune", setting)
            only = " or ".join(map(str, values))
            raise ConfigError(key, f"{dotted(key)} has no effect with {other} {found}, only with {only}; leave it out")


def check_file(file: PathLike, key: Keys, folder: bool = False) -> None:
    """Refuse a path that is no file, nor a folder of Parquet files where one will do."""
    if not Path(file).is_file() and not (folder and parquet_files(file)):
        kind = "is a folder without a Parquet file" if folder else "is a folder"
        found = kind if Path(file).is_dir() else f"does not exist in {Path.cwd()}"
        expected = "a file or a folder of Parquet files" if folder else "a file"
        raise ConfigError(key, f"{dotted(key)} is {file!r}, which {found}, expected {expected}; correct the path")


def check_selection(config: Mapping[str, Any]) -> None:
    """Check that everything selected is defined."""
    select = config["select"]
    for i, dataset in enumerate(select["datasets"]):
        find("dataset", dataset, config["datasets"], ("select", "datasets", i))
    parts = [part for part in PARTS if part in select]
    for rule in ("relevance", "candidates"):
        rules = {(select[part]["split"], str(select[part].get(rule, config[rule]))) for part in parts}
        if len(rules) > len({split for split, _ in rules}):
            key = ("select", parts[-1], rule)
            raise ConfigError(
                key, f"{dotted(key)} differs from the other part's on the same split; use two splits, or one rule"
            )
    for part in parts:
        find("split", select[part]["split"], config["splits"], ("select", part, "split"))
        for i, model in enumerate(select[part]["models"]):
            find("model", model, config["models"], ("select", part, "models", i))
            definition = config["models"][model]
            for setting in MODELS.of(definition).facts.inputs:
                for dataset in select["datasets"]:
                    file = run_path(definition[setting], dataset, select[part]["split"])
                    check_file(file, ("models", model, setting))
        for dataset in select["datasets"]:
            check_models(config, part, dataset)
        names = config["metrics"]
        for i, metric in enumerate(select[part]["metrics"]):
            path = ("select", part, "metrics", i)
            find("metric", metric, names, path)
            if needs(METRICS.of(names[metric])) == "values":
                check_members(metric, names, select[part]["metrics"], path)


def check_headline(config: Mapping[str, Any]) -> None:
    """Check that the metric and cut-off that speak for the study are computed in one of its parts."""
    if "headline" not in config:
        return
    metric, k = config["headline"]["metric"], config["headline"]["k"]
    parts = [config["select"][part] for part in PARTS if part in config["select"]]
    find("metric", metric, dict.fromkeys(name for part in parts for name in part["metrics"]), ("headline", "metric"))
    has_cutoff = METRICS.of(config["metrics"][metric]).has_cutoff
    cutoffs = [k for part in parts if metric in part["metrics"] for k in part["cutoffs"]] if has_cutoff else ["all"]
    if k not in cutoffs:
        listed = ", ".join(map(str, dict.fromkeys(cutoffs)))
        raise ConfigError(("headline", "k"), f"headline.k is {k}, expected a cut-off of {metric}: {listed}; correct it")


def check_thresholds(config: Mapping[str, Any]) -> None:
    """Check that a test item can be relevant on every selected dataset whose rating scale is known beforehand."""
    for part in (part for part in PARTS if part in config["select"]):
        own = "relevance" in config["select"][part]
        key = ("select", part, "relevance", "threshold") if own else ("relevance", "threshold")
        threshold = (config["select"][part] if own else config)["relevance"]["threshold"]
        for dataset in config["select"]["datasets"]:
            settings = config["datasets"][dataset]
            is_binary = settings.get("binary_threshold") is not None
            scale = (0, 1) if is_binary else settings.get("scale") or DATASETS.of(settings).facts.scale
            if scale and has_ratings(settings) and not isinstance(threshold, str) and threshold > max(scale):
                low, high = scale
                raise ConfigError(
                    key,
                    f"{dotted(key)} is {threshold:g}, and the ratings of {dataset!r} are on a scale from {low:g} to "
                    f"{high:g}: no test item could be relevant; set it to a number up to {high:g}",
                )


def has_ratings(dataset: Definition) -> bool:
    """Tell whether a dataset keeps the ratings of its source: without them every test item is relevant."""
    return dataset.get("implicit_threshold") is None and "rating" in dataset.get("columns", ("rating",))


def check_swept(config: Mapping[str, Any]) -> None:
    """Check that metrics of predictions which are to be swept are selected, and are such metrics."""
    selected = config["select"].get("ranking", {}).get("metrics", [])
    names = [name for name in selected if needs(METRICS.of(config["metrics"][name])) == "predictions"]
    for i, name in enumerate(config["robustness"].get("predictions", ())):
        find("selected metric of predictions", name, names, ("robustness", "predictions", i))


def check_replicates(config: Mapping[str, Any]) -> None:
    """Check that other splits would differ, and that some model can be trained again."""
    part = config["select"].get("ranking", {})
    key = ("select", "ranking", "replicates")
    asked = settings_of(part)
    if asked["splits"] > 1 and not SPLITS.of(config["splits"][part["split"]]).facts.random:
        problem = f"and the split {part['split']!r} has the same rows whatever the seed"
        raise ConfigError((*key, "splits"), f"{dotted((*key, 'splits'))} is {asked['splits']}, {problem}; set it to 1")
    trained = [name for name in part.get("models", ()) if not MODELS.of(config["models"][name]).facts.inputs]
    if max(asked.values()) > 1 and not trained:
        raise ConfigError(key, f"{dotted(key)}: all models are files of others, which train nothing; leave it out")


def check_by_time(config: Mapping[str, Any]) -> None:
    """Check the split by time that the ranking part is compared with, and that the models are among its own."""
    part = config["select"].get("ranking", {})
    if "by_time" not in part:
        return
    key = ("select", "ranking", "by_time")
    find("split", part["by_time"]["split"], config["splits"], (*key, "split"))
    kind = SPLITS.of(config["splits"][part["by_time"]["split"]]).name
    if kind != "global_time":
        problem = f"is {part['by_time']['split']!r} of kind {kind}, expected a split of kind global_time"
        raise ConfigError((*key, "split"), f"{dotted((*key, 'split'))} {problem}; name one, such as time_cut")
    for i, model in enumerate(part["by_time"]["models"]):
        find("model of the ranking part", model, part["models"], (*key, "models", i))


def check_models(config: Mapping[str, Any], part: str, dataset: str) -> None:
    """Check that a dataset can have one of the selected models at least."""
    models, settings = config["select"][part]["models"], config["datasets"][dataset]
    reasons = [why_left_out(config["models"][name], settings) for name in models]
    if all(reasons):
        key = ("select", part, "models")
        raise ConfigError(key, f"{dotted(key)}: none can be had on {dataset!r} ({reasons[0]}); select another")


def check_members(metric: str, names: Definitions, selected: Collection[str], path: Keys) -> None:
    """Check that the metrics which a metric is made of are selected, and have an upper bound to be divided by."""
    for member in members(names[metric]):
        find("metric", member, names, path)
        if member not in selected:
            raise ConfigError(path, f"{dotted(path)}: {metric} is made of {member!r}, which is not selected; add it")
        facts = METRICS.of(names[member]).facts
        low, high = facts.range
        bounded = isinstance(high, Bound) or math.isfinite(high)
        if not (facts.higher_is_better and low == 0 and bounded) or facts.needs == "values":
            wanted = "expected a metric that is better when higher, from 0 up to a bound; choose another"
            raise ConfigError(path, f"{dotted(path)}: {metric} is made of {member!r}, {wanted}")


def check_priors(estimators: Definitions) -> None:
    """Check that every prior is uniform or fitted by an estimator for sets of one size."""
    fitting = [name for name, made in estimators.items() if fits(made) and applies(made, {"kind": "uniform"})]
    for name, definition in estimators.items():
        if "prior" in definition:
            find("prior", definition["prior"], [UNIFORM, *fitting], ("estimators", name, "prior"))


def check_sampling(config: Mapping[str, Any], part: Mapping[str, Any]) -> None:
    """Check that samplers and estimators are defined, and that each has one that it goes with."""
    path = ("select", "sampling")
    for section in ("samplers", "estimators"):
        for i, name in enumerate(part.get(section, ())):
            find(section.removesuffix("s"), name, config[section], (*path, section, i))
    pairs = [
        (sampler, estimator)
        for sampler in part.get("samplers", ())
        for estimator in part.get("estimators", ())
        if applies(config["estimators"][estimator], config["samplers"][sampler])
    ]
    for i, name in enumerate(part.get("estimators", ())):
        if name not in {estimator for _, estimator in pairs}:
            raise ConfigError(
                (*path, "estimators", i),
                f"estimator {name!r} works with none of the selected samplers; add one that it works with",
            )
    for i, name in enumerate(part.get("samplers", ())):
        of_users = SAMPLERS.of(config["samplers"][name]).facts.gives == "users"
        if of_users and "exclude_test_items" in config["samplers"][name]:
            key = ("samplers", name, "exclude_test_items")
            raise ConfigError(key, f"{dotted(key)} has no effect: users are ranked among all candidates; remove it")
        if not of_users and name not in {sampler for sampler, _ in pairs}:
            raise ConfigError(
                (*path, "samplers", i),
                f"sampler {name!r} works with none of the selected estimators; add one that it works with",
            )
    selected = {name: config["estimators"][name] for name in part.get("estimators", ())}
    fitting = [name for name, definition in selected.items() if fits(definition) or implies(definition)]
    for i, name in enumerate(part.get("fits", ())):
        find("fit", name, fitting, (*path, "fits", i))
    if part.get("samplers"):
        check_sampled_metrics(config, part)
        check_informed(config, part)


def check_informed(config: Mapping[str, Any], part: Mapping[str, Any]) -> None:
    """Check that informed samplers follow what there is, and reach as far as a cut-off."""
    for name in part["samplers"]:
        entry = SAMPLERS.of(config["samplers"][name])
        if entry.facts.gives != "informed":
            continue
        sampler = {**entry.defaults, **config["samplers"][name]}
        models = dict.fromkeys(["popularity", *part["models"]])
        find("proxy", sampler["proxy"], models, ("samplers", name, "proxy"))
        if not any(isinstance(k, int) and k <= sampler["k"] for k in part["cutoffs"]):
            key = ("samplers", name, "k")
            raise ConfigError(
                key,
                f"{dotted(key)} is {sampler['k']}, and every cut-off of select.sampling.cutoffs is above it, expected "
                "the largest cut-off that is to be estimated; raise it",
            )


def check_sampled_metrics(config: Mapping[str, Any], part: Mapping[str, Any]) -> None:
    """Check that sampled metrics are functions of the rank, and that one number decides which items are relevant."""
    path = ("select", "sampling")
    for i, name in enumerate(part["metrics"]):
        definition = config["metrics"][name]
        wrong = None
        if needs(METRICS.of(definition)) != "ranks":
            wrong = f"{name!r} needs more than the rank of an item, so it cannot be sampled"
        elif "relevance" in definition:
            wrong = f"{name!r} has its own rule of relevance, but sampled items follow select.sampling.relevance"
        if wrong:
            key = (*path, "metrics", i)
            raise ConfigError(key, f"{dotted(key)}: {wrong}; choose another, such as recall or ndcg")
    rule = (*path, "relevance") if "relevance" in part else ("relevance",)
    threshold = part.get("relevance", config["relevance"])["threshold"]
    if isinstance(threshold, str):
        raise ConfigError(
            (*rule, "threshold"),
            f"{dotted((*rule, 'threshold'))} is {threshold!r}, expected a number, as sampling needs; "
            "set select.sampling.relevance",
        )


def check_paper(paper: str) -> None:
    """Check that a paper's figures are there, and that their file has the right shape."""
    find("paper", paper, [path.stem for path in PUBLISHED.glob("*.yaml")], ("paper",))
    schema = read_yaml(SCHEMA.with_name("published.schema.yaml"))
    file = PUBLISHED / f"{paper}.yaml"
    try:
        check_shape(read_yaml(file), schema, ())
    except ConfigError as mistake:
        raise UserError(f"{locate(mistake.path, [file])}: {mistake}") from None
