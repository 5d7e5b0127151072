"""What a checked config selects, per dataset and split: what the workflow runs, and what the report shows.

A method whose parameters are called as wildcards (``models(split, dataset)``) is a setting of the rules that have them.
"""

import inspect
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from truerank.config.replicates import BY_TIME, is_by_time, is_replicate, ordinary, replicates_of, rows_of, settings_of
from truerank.datasets._core.reading import parquet_files
from truerank.estimators._core.make import applies, draws_alike, needed_fit
from truerank.metrics._core.evaluation import needs
from truerank.models._core.left_out import why_left_out
from truerank.models.run import run_path
from truerank.provenance import sha256
from truerank.registry import DATASETS, METRICS, MODELS, SAMPLERS, Cutoff

PARTS = ("ranking", "sampling")
WILDCARDS = ("dataset", "split", "sampler", "model", "estimator", "shard", "paper")
LIST_LENGTH = 100
HUNDRED = 100


@cache
def wildcards_of(name: str) -> tuple[str, ...]:
    """Return the wildcards that a setting depends on."""
    return tuple(inspect.signature(getattr(Study, name)).parameters)[1:]


class Study:
    """What a checked config selects, per dataset and split."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.config = config

    # What there is

    @property
    def datasets(self) -> list[str]:
        return self.config["select"]["datasets"]

    @property
    def parts(self) -> dict[str, dict]:
        """What each part of the study selects."""
        return {part: self.config["select"][part] for part in PARTS if part in self.config["select"]}

    @property
    def papers(self) -> list[str]:
        """The paper that the study reproduces, in a list that is empty if it reproduces none."""
        return [self.config["paper"]] if "paper" in self.config else []

    @property
    def splits(self) -> list[str]:
        return list(dict.fromkeys(part["split"] for part in self.parts.values()))

    @property
    def replicates(self) -> dict[str, tuple[int, int]]:
        """The replicates of the ranking part, itself first, by the split of their jobs; none if there is no other."""
        part = self.parts.get("ranking")
        found = replicates_of(part["split"], settings_of(part)) if part else {}
        return dict(found) if len(found) > 1 else {}

    @property
    def by_time(self) -> dict[str, Any] | None:
        """The split by time that the ranking part is compared with, and the models, None if it asks for none."""
        return self.parts.get("ranking", {}).get("by_time")

    @property
    def derived_splits(self) -> list[str]:
        """All splits that jobs may have beside those of the config."""
        by_time = [f"{self.parts['ranking']['split']}{BY_TIME}"] if self.by_time else []
        return [*list(self.replicates)[1:], *by_time]

    @property
    def replicate_numbers(self) -> list[tuple[int, int]]:
        return list(self.replicates.values())

    @property
    def sampling(self) -> dict | None:
        """What the sampling part selects, None if it selects no samplers."""
        part = self.parts.get("sampling", {})
        return part if part.get("samplers") else None

    def jobs(self, wildcards: Iterable[str], within: str | None = None, **fixed: str) -> list[dict[str, str]]:
        """Return the wildcards of all jobs of a rule, or of those with the ``fixed`` ones, selected or not.

        within : the part of the study that the rule belongs to, ranking or sampling, or what else limits it: ``tuned``
        (models whose settings are searched for), ``runs`` (models that are read from files), ``simulated`` and
        ``drawn`` (samplers that start from ranks, and from models), ``fits`` (estimators whose P(R) others need or
        the study asks for), ``replicated`` (the split that has replicates), ``replicates`` (these, whatever split is
        fixed), ``compared_by_time`` (the split that is compared with one by time), ``both_splits`` (these two). What is
        fixed must then be within that.
        """
        found: list[dict[str, str]] = [{}]
        if within in ("replicates", "both_splits"):
            fixed = {name: value for name, value in fixed.items() if name != "split"}
        wanted = {*wildcards, *fixed}
        for name in (each for each in WILDCARDS if each in wanted):
            if name in fixed and within is None:
                found = [job | {name: fixed[name]} for job in found]
                continue
            found = [
                job | {name: value}
                for job in found
                for value in map(str, self._values(name, job, within))
                if fixed.get(name, value) == value
            ]
        return found

    def _values(self, wildcard: str, job: Mapping[str, str], within: str | None) -> Iterable[str | int]:
        """Return what a wildcard may be beside those that a job has."""
        if wildcard == "split":
            return self._splits(within)
        if wildcard == "sampler":
            needed = {"simulated": "ranks", "drawn": "models"}.get(within or "")
            chosen = self.sampling["samplers"] if self.sampling else ()
            return [name for name in chosen if needed in (None, self._needs(name))]
        if wildcard == "model":
            if within in (None, "ranking", "tuned", "runs", "replicated", "replicates", "both_splits"):
                chosen = self.models(job["split"], job["dataset"])
                limits = {"tuned": lambda model: "tune" in model, "runs": lambda model: MODELS.of(model).facts.inputs}
                return [name for name, model in chosen.items() if within not in limits or limits[within](model)]
            return self.sampled_models(job["dataset"])
        if wildcard == "estimator":
            return self.fits(job["sampler"]) if within == "fits" else self.estimators_of(job["sampler"])
        if wildcard == "shard":
            return range(self.config["shards"])
        return self.papers if wildcard == "paper" else self.datasets

    def _splits(self, within: str | None) -> list[str]:
        """Return the splits of a part; for what follows from a sampler, that of the sampling part if there is one."""
        if within in (None, "tuned", "runs"):
            return self.splits
        if within in ("replicated", "replicates"):
            return list(self.replicates)[: 1 if within == "replicated" else None]
        if within in ("compared_by_time", "both_splits"):
            split = self.parts["ranking"]["split"] if self.by_time else ""
            return [split, f"{split}{BY_TIME}"][: 1 if within == "compared_by_time" else None] if split else []
        part = self.parts.get("ranking") if within == "ranking" else self.sampling
        return [part["split"]] if part else []

    def setting(self, name: str, wildcards: Mapping[str, str]) -> Any:
        """Return what the study sets for a job: by the method or property of that name, or else by the config's key."""
        if name not in vars(self) and not hasattr(Study, name):
            return self.config[name]
        found = getattr(self, name)
        return found(**{wildcard: wildcards[wildcard] for wildcard in wildcards_of(name)}) if callable(found) else found

    # Definitions

    def dataset(self, dataset: str) -> dict:
        return self.config["datasets"][dataset]

    def split(self, split: str) -> dict:
        name = self.by_time["split"] if self.by_time and is_by_time(split) else ordinary(split)
        return self.config["splits"][name]

    def split_rows(self, split: str) -> str:
        """Return the name under which the rows of a split are chosen at random."""
        return rows_of(split)

    def model(self, model: str) -> dict:
        return self.config["models"][model]

    def trained_model(self, model: str, split: str) -> dict:
        """Return the definition of a model as it is trained: in a replicate, which has no use for it, uncalibrated."""
        left_out = ("calibration",) if is_replicate(split) else ()
        return {name: value for name, value in self.model(model).items() if name not in left_out}

    def sampler(self, sampler: str) -> dict:
        return self.config["samplers"][sampler]

    def estimator(self, estimator: str) -> dict:
        return self.config["estimators"][estimator]

    # The user's own files, by their content: a clock may go back, and a copy may keep an older time

    def source_files(self, dataset: str) -> list[str]:
        """Return the files that a dataset is read from, if they are the user's own."""
        settings = self.dataset(dataset)
        catalogue = ["items"] if isinstance(settings.get("items"), str) else []
        named = [settings[name] for name in (*DATASETS.of(settings).facts.inputs, *catalogue) if name in settings]
        return [str(file) for path in named for file in (parquet_files(path) if Path(path).is_dir() else [path])]

    def memory_of_source(self, wildcards: Any, attempt: int) -> int:
        """Return the megabytes that reading a dataset takes, and as many again each time that it is tried again."""
        return DATASETS.of(self.dataset(wildcards["dataset"])).facts.memory_mb * attempt

    def source_content(self, dataset: str) -> list[str]:
        return [sha256(path) for path in self.source_files(dataset)]

    def run_files(self, dataset: str, split: str, model: str) -> list[str]:
        """Return the file that a model is read from, if it is one that others trained."""
        settings = self.model(model)
        return [run_path(settings[name], dataset, split) for name in MODELS.of(settings).facts.inputs]

    def run_content(self, dataset: str, split: str, model: str) -> list[str]:
        return [sha256(path) for path in self.run_files(dataset, split, model)]

    # Of a split

    def models(self, split: str, dataset: str) -> dict[str, dict]:
        """Return the models of all parts that use ``split``, in the order of the config, that ``dataset`` can have.

        In a replicate they are those of the ranking part that can be trained again.
        """
        found = self._possible(self._union(split, "models"), dataset)
        if not is_replicate(split):
            return found
        chosen = self.by_time["models"] if self.by_time and is_by_time(split) else found
        return {name: model for name, model in found.items() if name in chosen and not MODELS.of(model).facts.inputs}

    def model_names(self, split: str, dataset: str) -> list[str]:
        return list(self.models(split, dataset))

    def metrics(self, split: str) -> dict[str, dict]:
        """Return the metrics of all parts that use ``split``; of a replicate, those of rankings alone."""
        found = {name: self.config["metrics"][name] for name in self._union(split, "metrics")}
        return {n: each for n, each in found.items() if not is_replicate(split) or needs(METRICS.of(each)) == "ranks"}

    def cutoffs(self, split: str) -> list[Cutoff]:
        return self._union(split, "cutoffs")

    def depth(self, split: str) -> int:
        """Return the length of the lists: 100, or more if a metric of lists is asked for at a deeper cut-off."""
        of_lists = any(needs(METRICS.of(metric)) == "lists" for metric in self.metrics(split).values())
        deepest = max((k for k in self.cutoffs(split) if isinstance(k, int)), default=0) if of_lists else 0
        return max(deepest, LIST_LENGTH)

    def relevance(self, split: str) -> dict:
        """Return the rule of relevance: that of a part that uses ``split``, or else the study's."""
        return self._rule(split, "relevance")

    def candidates(self, split: str) -> str:
        """Return which items are ranked: as a part that uses ``split`` says, or else the study."""
        return self._rule(split, "candidates")

    def relevance_key(self, split: str) -> str:
        """Return the key of the config that sets the rule of relevance of ``split``."""
        own = (name for name, part in self.parts.items() if part["split"] == ordinary(split) and "relevance" in part)
        return next((f"select.{name}.relevance" for name in own), "relevance")

    @property
    def tuning(self) -> dict:
        """How settings are searched for, the metric and the way to hold rows out as definitions."""
        tuning, held_out = self.config["tuning"], self.config["tuning"]["validation"]
        by_name = isinstance(held_out, str)
        validation = self.split(held_out) if by_name else {"kind": "user_fraction", "test": held_out}
        metrics = {tuning["metric"]: self.config["metrics"][tuning["metric"]]}
        return {"trials": tuning["trials"], "metrics": metrics, "k": tuning["k"], "validation": validation}

    def evaluation(self, split: str) -> dict:
        """Return the rules by which models are evaluated."""
        own = {"relevance": self.relevance(split), "candidates": self.candidates(split)}
        return {name: self.config[name] for name in ("ties", "undefined_users")} | own

    # Of the sampling part

    @property
    def samplers(self) -> dict[str, dict]:
        return {name: self.sampler(name) for name in self.parts["sampling"]["samplers"]}

    @property
    def estimators(self) -> dict[str, dict]:
        return {name: self.estimator(name) for name in self.parts["sampling"].get("estimators", ())}

    @property
    def estimated(self) -> list[tuple[str, str]]:
        """Pairs of a sampler and an estimator that takes what it gives."""
        return [(sampler, estimator) for sampler in self.samplers for estimator in self.estimators_of(sampler)]

    def sampled_models(self, dataset: str) -> dict[str, dict]:
        """Return the models of the sampling part that ``dataset`` can have."""
        return self._possible(self.parts["sampling"]["models"], dataset)

    def sampled_names(self, dataset: str) -> list[str]:
        return list(self.sampled_models(dataset))

    @property
    def sampled_metrics(self) -> dict[str, dict]:
        """The metrics that the sampling part estimates."""
        return {name: self.config["metrics"][name] for name in self.parts["sampling"]["metrics"]}

    @property
    def sampled_cutoffs(self) -> list[Cutoff]:
        return self.parts["sampling"]["cutoffs"]

    @property
    def negatives(self) -> list[int]:
        """The numbers of negatives of the samplers that draw the same number for everybody, all items alike."""
        return sorted({each["negatives"] for each in self.samplers.values() if draws_alike(each)})

    @property
    def samplers_of_hundred(self) -> list[str]:
        """The samplers, selected or not, that draw 100 negatives, all items alike, as papers do."""
        chosen = self.config["samplers"].items()
        return [name for name, each in chosen if draws_alike(each) and each["negatives"] == HUNDRED]

    @property
    def headline(self) -> dict[str, Any] | None:
        """The metric and cut-off that speak for the study, None if the verdict is to name them."""
        return self.config.get("headline")

    @property
    def answers_from(self) -> dict[str, Any]:
        """What of the config a reviewer's questions are answered from."""
        keys = ("seed", "select", "models", "metrics", "ties", "candidates", "undefined_users", "headline")
        return {key: self.config[key] for key in keys if key in self.config}

    @property
    def ranking_definitions(self) -> dict[str, dict]:
        return {name: self.config["metrics"][name] for name in self.ranking_metrics}

    @property
    def ranking_metrics(self) -> list[str]:
        """The metrics of the ranking part, in the order of the config."""
        return self.parts.get("ranking", {}).get("metrics", [])

    def estimators_of(self, sampler: str) -> list[str]:
        """Return the selected estimators that take what ``sampler`` gives."""
        return [name for name, estimator in self.estimators.items() if applies(estimator, self.sampler(sampler))]

    def fits(self, sampler: str) -> list[str]:
        """Return the estimators whose P(R) those selected for ``sampler`` need, and those that the study names."""
        estimators, asked = self.estimators_of(sampler), (self.sampling or {}).get("fits", ())
        needed = (needed_fit(name, self.estimator(name)) for name in estimators)
        return list(dict.fromkeys([*filter(None, needed), *(name for name in asked if name in estimators)]))

    def tuned_once(self, wildcards: Any) -> dict[str, str]:
        """Return the wildcards of the search for settings that a model has: one for all replicates."""
        return dict(wildcards.items()) | {"split": ordinary(wildcards["split"])}

    def needed_by_estimator(self, wildcards: Any) -> dict[str, str] | None:
        """Return the wildcards of the fit that an estimator needs, None if it needs none."""
        fit = needed_fit(wildcards["estimator"], self.estimator(wildcards["estimator"]))
        return dict(wildcards.items()) | {"estimator": fit} if fit else None

    def needed_by_fit(self, wildcards: Any) -> dict[str, str] | None:
        """Return the wildcards of the fit that a P(R) follows from, None if it follows from samples alone."""
        found = self.needed_by_estimator(wildcards)
        return None if found == dict(wildcards.items()) else found

    def _needs(self, sampler: str) -> str:
        return SAMPLERS.of(self.sampler(sampler)).facts.needs

    def _possible(self, models: Iterable[str], dataset: str) -> dict[str, dict]:
        named = {name: self.model(name) for name in models}
        return {name: model for name, model in named.items() if not why_left_out(model, self.dataset(dataset))}

    def _rule(self, split: str, key: str) -> Any:
        chosen = (part.get(key) for part in self.parts.values() if part["split"] == ordinary(split))
        return next(filter(None, chosen), self.config[key])

    def _union(self, split: str, key: str) -> list:
        parts = {"ranking": self.parts["ranking"]} if is_replicate(split) else self.parts
        chosen = (part[key] for part in parts.values() if part["split"] == ordinary(split))
        return list(dict.fromkeys(name for names in chosen for name in names))
