"""The datasets of a study side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
from markupsafe import Markup

from truerank.report.block import Block, Folded, Prose, in_cell, named
from truerank.report.method import provenance_of
from truerank.report.standings import DIGITS, INTERVAL
from truerank.report.study import OpenStudy, Part, open_study
from truerank.report.table import Column, Table, beside
from truerank.report.verdict import overlap

FACTS = {"users": 0, "items": 0, "interactions": 0, "density": DIGITS, "gini": DIGITS}


def open_index(results: str | Path, config: dict[str, Any], provenance: dict[str, Any]) -> "Index":
    """Return the studies of all datasets that ``config`` selects."""
    return Index(Path(results), config, provenance)


@dataclass(frozen=True)
class Index:
    """One study per dataset, in the order of the config."""

    results: Path
    config: dict[str, Any]
    provenance: dict[str, Any]

    @cached_property
    def studies(self) -> list[OpenStudy]:
        datasets = self.config["select"]["datasets"]
        return [open_study(self.results, dataset, self.config, self.provenance) for dataset in datasets]

    @cached_property
    def leaders(self) -> pd.DataFrame:
        """One row per dataset, part and metric: who leads, their value, whether an interval is clear of the next.

        Models of the same value lead together: ``leaders`` is the tuple of their names, empty without values.
        """
        rows = []
        for study in self.studies:
            for part in study.parts:
                for metric, k in part.headlines:
                    first, *others = part.standings(metric, k).to_dict("records")
                    leaders = tuple(part.leaders(metric, k))
                    clear = len(leaders) == 1 and bool(others) and overlap(first, others[0]) == "no"
                    rows.append((study.dataset, part.name, f"{metric}@{k}", leaders, first["value"], clear))
        return pd.DataFrame(rows, columns=["dataset", "part", "metric", "leaders", "value", "clear"])

    @property
    def rankings(self) -> dict[str, Part]:
        """Dataset -> its ranking part."""
        return {study.dataset: part for study in self.studies for part in study.parts if part.name == "ranking"}


def overview(index: Index) -> Block:
    """Who leads on which datasets, by the metric that speaks for each part."""
    sentences = []
    for part, rows in index.leaders.groupby("part", sort=False):
        found = []
        for metric, of_metric in rows.groupby("dataset", sort=False).head(1).groupby("metric", sort=False):
            where = of_metric.groupby("leaders", sort=False)["dataset"]
            won = [Markup("{} on {}").format(who_leads(leaders), links(datasets)) for leaders, datasets in where]
            found.append(Markup("by {}: {}").format(metric, Markup("; ").join(won)))
        sentences.append(Markup("{} part, {}.").format(part.capitalize(), Markup("; ").join(found)))
    return Prose(*sentences, kind="lead")


def who_leads(leaders: Sequence[str]) -> Markup:
    """Who leads, or that several share the lead, or that nobody has a value."""
    if not leaders:
        return Markup("no model has a value")
    return Markup("{} leads" if len(leaders) == 1 else "{} share the lead").format(named(leaders))


def papers(index: Index) -> Block:
    """The page that sets the study against the paper that it reproduces, if it reproduces one."""
    paper = index.config.get("paper")
    if paper is None:
        return Prose()
    return Prose(Markup('Paper and our results: <a href="paper/{}">{}</a>.').format(page(paper), paper))


def links(datasets: Iterable[str]) -> Markup:
    return Markup(", ").join(Markup('<a href="{}">{}</a>').format(page(dataset), dataset) for dataset in datasets)


def page(dataset: str) -> str:
    return f"{quote(dataset)}.html"


def datasets(index: Index) -> Block:
    """Every dataset with a link to its page, its size and its leaders."""
    frame = pd.DataFrame({"dataset": [study.dataset for study in index.studies]})
    frame["page"] = frame["dataset"].map(page)
    columns = [Column("dataset", link="page")]
    for fact, digits in FACTS.items():
        frame[fact] = [study.facts.get(fact) for study in index.studies]
        columns.append(Column(fact, digits=digits))
    for part, rows in index.leaders.groupby("part", sort=False):
        first = rows.groupby("dataset").first().reindex(frame["dataset"])
        by = first["metric"].dropna().unique()
        key = f"{part} leader by {by[0]}" if len(by) == 1 else f"{part} leader"
        if len(by) > 1:  # each dataset has the metric that its verdict recommends
            frame[f"{key}, metric"] = first["metric"].to_numpy()
            columns.append(Column(f"{key}, metric", f"{part} metric"))
        frame[key], frame[f"{key}, value"] = first["leaders"].map(in_cell).to_numpy(), first["value"].to_numpy()
        columns += [Column(key), Column(f"{key}, value", "value", DIGITS)]
    return Table("datasets", frame, "The datasets; each name opens its report", columns, folds=False)


def across(index: Index) -> Block:
    """What held on every dataset: the metrics that name the same leaders everywhere."""
    if len(index.studies) == 1:
        return Prose()  # the section says so
    if index.leaders.empty:
        return Prose("This does not apply: the study selects no part that ranks items.")
    sentences = []
    for part, rows in index.leaders.groupby("part", sort=False):
        agreed = rows.groupby("metric", sort=False).filter(lambda group: group["leaders"].nunique() == 1)
        by_leader = agreed.groupby("leaders", sort=False)["metric"].unique()
        held = [Markup("{} on {}").format(who_leads(of), ", ".join(names)) for of, names in by_leader.items()]
        found = Markup("; ").join(held) if held else "no metric names the same leader"
        sentences.append(Markup("In the {} part, on every dataset: {}.").format(part, found))
    return Folded("Which metrics name the same leader", Prose(*sentences), leaders_by_metric(index))


def leaders_by_metric(index: Index) -> Table:
    stars = index.leaders["clear"].map({True: " *", False: ""})
    rows = index.leaders.assign(leader=index.leaders["leaders"].map(in_cell).fillna("none") + stars)
    names = beside(rows["dataset"], "dataset", "part", "metric")
    rows["dataset"] = rows["dataset"].map(names)
    wide = rows.pivot_table(index=["part", "metric"], columns="dataset", values="leader", aggfunc="first", sort=False)
    caption = f"The leader per metric and dataset; * where its {INTERVAL} does not overlap the next"
    return Table("leaders", wide.rename_axis(columns=None).reset_index(), caption)


def index_provenance(index: Index) -> Block:
    """Seed, commit, versions, command and config of the whole study."""
    blocks = provenance_of(index.config, index.provenance, "results/report/index.html")
    return Folded("Seed, commit, command and configuration", *blocks)
