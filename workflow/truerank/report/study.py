"""What a study gave on one dataset, read when a figure or table asks for it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from truerank.artefacts.files import read_json, read_table
from truerank.artefacts.rank_table import rank_of
from truerank.config.study import PARTS, Study
from truerank.metrics._core.relevance import in_words, is_relevant
from truerank.registry import METRICS, Definition
from truerank.report.theme import Style, styles

ALL = "all"

Headline = tuple[str, str]  # a metric, and the cut-off that speaks for it


def open_study(
    results: str | Path,
    dataset: str,
    config: dict[str, Any],
    provenance: dict[str, Any],
    drawn: str | None = None,
    order: Sequence[str] = (),
) -> "OpenStudy":
    """Return the study of ``dataset`` in the folder ``results``; ``config`` is the effective one, a dict.

    drawn : the file of sections that ``draw_figures`` wrote; without it, sections are drawn when they are called.
    order : models that get their colours in this order; without it, the best come first.
    """
    sections = read_json(drawn) if drawn and Path(drawn).exists() else {}
    return OpenStudy(Path(results), dataset, Study(config), provenance, sections, order)


@dataclass(frozen=True)
class OpenStudy:
    """One dataset and the parts of the study that were run on it.

    selection : the study that the workflow ran. drawn : name of a section -> what its cell shows, where that is known.
    """

    results: Path
    dataset: str
    selection: Study
    provenance: dict[str, Any]
    drawn: dict[str, Any] = field(default_factory=dict)
    order: Sequence[str] = ()

    @property
    def config(self) -> Mapping[str, Any]:
        return self.selection.config

    @cached_property
    def facts(self) -> dict[str, Any]:
        return read_json(self.results / "datasets" / self.dataset / "summary.json")

    @cached_property
    def popularity(self) -> np.ndarray:
        """The number of interactions per item, most first; items that nobody touched are not in it."""
        items = read_table(self.results / "datasets" / self.dataset / "interactions.parquet", ["item"])
        return items["item"].value_counts().to_numpy()

    @cached_property
    def mean_rating(self) -> pd.Series:
        """The mean of all ratings of each user."""
        path = self.results / "datasets" / self.dataset / "interactions.parquet"
        return read_table(path, ["user", "rating"]).groupby("user")["rating"].mean()

    @cached_property
    def verdict(self) -> dict[str, Any]:
        """What the workflow found out about the metrics, and about sampling."""
        return read_json(self.results / "verdict" / f"{self.dataset}.json")

    @cached_property
    def headline(self) -> Headline | None:
        """The metric and cut-off that figures and the first screen use: the config's, or what the verdict names."""
        headline = self.config.get("headline") or self.verdict["metrics"]
        return (headline["metric"], str(headline["k"])) if headline else None

    @cached_property
    def parts(self) -> list["Part"]:
        return [Part(self, name, selected) for name, selected in self.selection.parts.items()]

    @property
    def missing_parts(self) -> list[str]:
        return [name for name in PARTS if name not in self.selection.parts]

    @cached_property
    def styles(self) -> dict[str, Style]:
        """How each model is drawn, the same in every part."""
        return styles(dict.fromkeys([*self.order, *(model for part in self.parts for model in part.models)]))


@dataclass(frozen=True)
class Part:
    """What ``select`` says of one part of the study, and what came out of it."""

    study: OpenStudy
    name: str
    selected: dict[str, Any]

    @property
    def split(self) -> str:
        return self.selected["split"]

    @property
    def relevance(self) -> dict[str, Any]:
        """The rule by which a test item is relevant; without ratings all are."""
        return self.study.selection.relevance(self.split)

    @property
    def candidates(self) -> str:
        """The rule by which an item is a user's candidate."""
        return self.study.selection.candidates(self.split)

    @property
    def relevant_in_words(self) -> str:
        return "every test item" if self.study.facts.get("implicit") else in_words(self.relevance)

    @property
    def split_folder(self) -> Path:
        return self.study.results / "splits" / self.study.dataset / self.split

    @cached_property
    def facts(self) -> dict[str, Any]:
        return read_json(self.split_folder / "summary.json")

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row per model, metric and cut-off of this part."""
        table = read_table(self.study.results / "metrics" / self.study.dataset / self.split / "summary.parquet")
        chosen = table["model"].isin(self.selected["models"]) & table["metric"].isin(self.selected["metrics"])
        return table[chosen].reset_index(drop=True)

    @cached_property
    def p_values(self) -> dict[tuple[str, str, frozenset[str]], float]:
        """The Holm-adjusted p-value of every tested pair, by metric, cut-off and the two models."""
        tests = self.meta("significance")
        return {(row.metric, row.k, frozenset((row.model_a, row.model_b))): row.p_holm for row in tests.itertuples()}

    def meta(self, name: str) -> pd.DataFrame:
        """One table of the meta-evaluation, the metrics of this part."""
        table = read_table(self.study.results / "meta" / self.study.dataset / self.split / f"{name}.parquet")
        for column in ("metric", "metric_a", "metric_b"):
            table = table[table[column].isin(self.selected["metrics"])] if column in table else table
        return table.reset_index(drop=True)

    @cached_property
    def metrics(self) -> dict[str, list[str]]:
        """The cut-offs at which each metric was computed, in the config's order of metrics."""
        present = {str(metric): rows.unique() for metric, rows in self.summary.groupby("metric", sort=False)["k"]}
        return {
            metric: sorted(present[metric], key=as_number) for metric in self.selected["metrics"] if metric in present
        }

    @property
    def headlines(self) -> list[Headline]:
        """Each metric with the one cut-off that speaks for it, the metric that speaks for all first.

        That is the config's ``headline``, or else what the verdict names; in a part that lacks it, the first metric of
        its kind, or of all, at the same cut-off if there is one.
        """
        chosen, at = self.study.headline or (None, None)
        kinds = {metric: self.kind(metric) for metric in self.metrics}
        known = [metric for metric in self.metrics if metric == chosen]
        known += [metric for metric, kind in kinds.items() if chosen and kind == self.kind(chosen)]
        first = next(iter(known), None)
        ordered = sorted(self.metrics, key=lambda metric: metric != first)
        return [(m, at if at in self.metrics[m] else self.metrics[m][0]) for m in ordered]

    @property
    def verdicts(self) -> list[Headline]:
        """The headlines that say which model ranks better: those from ranks, or all where there are none.

        Diversity, novelty and errors of predictions have leaders too, but not of the ranking.
        """
        of_ranks = [(m, k) for m, k in self.headlines if METRICS[self.kind(m)].facts.needs == "ranks"]
        return of_ranks or self.headlines

    def one_of_each_kind(self, headlines: Iterable[Headline]) -> list[Headline]:
        """The first headline of each kind of metric, without its variants."""
        first: dict[str, Headline] = {}
        for metric, k in headlines:
            first.setdefault(self.kind(metric), (metric, k))
        return list(first.values())

    def standings(self, metric: str, k: str) -> pd.DataFrame:
        """The rows of one metric at one cut-off, best model first."""
        rows = self.summary[(self.summary["metric"] == metric) & (self.summary["k"] == k)]
        ascending = [not self.higher_is_better(metric), True]
        return rows.sort_values(["value", "model"], ascending=ascending).reset_index(drop=True)

    def leaders(self, metric: str, k: str) -> list[str]:
        """All models of the best value, which differs by rounding at most; none where no model has a value."""
        rows = self.standings(metric, k)
        best = np.isclose(rows["value"], rows["value"].iloc[0], rtol=1e-12, atol=0)
        return list(rows.loc[best, "model"])

    @cached_property
    def models(self) -> list[str]:
        """The models, best first by the first headline."""
        return list(self.standings(*self.headlines[0])["model"])

    @property
    def styles(self) -> dict[str, Style]:
        return {model: self.study.styles[model] for model in self.models}

    def definition(self, metric: str) -> Definition:
        return self.study.config.get("metrics", {}).get(metric, METRICS.named(metric))

    def kind(self, metric: str) -> str:
        return self.definition(metric)["kind"]

    def higher_is_better(self, metric: str) -> bool:
        return METRICS[self.kind(metric)].facts.higher_is_better

    def ranks(self, model: str) -> pd.DataFrame:
        """The exact ranks of the relevant test items under one model, and among how many candidates."""
        path = self.study.results / "ranks" / self.study.dataset / self.split / f"{model}.parquet"
        table = read_table(path, ["user", "rating", "above", "before", "candidates"])
        table = table[self.relevant(table)]
        return pd.DataFrame({"rank": rank_of(table["above"], table["before"]), "candidates": table["candidates"]})

    def rated(self, model: str) -> pd.DataFrame:
        """The rating and the prediction of every test item under one model; NaN where there is none."""
        path = self.study.results / "ranks" / self.study.dataset / self.split / f"{model}.parquet"
        return read_table(path, ["rating", "prediction"]).astype(float)

    def predictions(self, model: str) -> np.ndarray:
        return self.rated(model)["prediction"].to_numpy()

    def relevant(self, tests: pd.DataFrame) -> pd.Series:
        """Which rows of a table of test items are relevant."""
        if tests["rating"].isna().all():
            return tests["rating"].isna()
        mean = tests["user"].map(self.study.mean_rating)
        return is_relevant(self.relevance, tests["rating"], mean, self.study.facts.get("rating_scale"))


def as_number(k: str) -> float:
    """Order cut-offs as numbers, 'all' last."""
    return float("inf") if k == ALL else int(k)
