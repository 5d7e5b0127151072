"""Choose a metric to report, from the values of every user under several metrics."""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from truerank.api.inputs.rank_tables import RankedModels, read_rank_tables
from truerank.api.inputs.value_table import ValueTable, few, read_value_table
from truerank.api.judging import check_choice
from truerank.api.results import Result, as_plain
from truerank.blas import single_threaded_blas
from truerank.config.merging import read_defaults
from truerank.core.comparing import MOST_USERS
from truerank.core.evaluation import evaluate_by_rule
from truerank.core.measured import Measured
from truerank.core.robustness import measure
from truerank.core.trial import less_is_better, put_on_trial, tables_of
from truerank.core.verdict_words import sentences
from truerank.errors import UserError
from truerank.meta.significance import UNDEFINED_USERS
from truerank.registry import METRICS, Definition

NO_RANKING = "No metric here judges a ranking: those of lists and of errors have no best set, and none is named."
NO_TRAINING = "Robustness to missing popular items was not measured: that needs the training rows, given as train."
NOTHING: dict[str, Any] = {"metric": None, "k": None, "set": [], "of": 0, "stability": None}
CLOSE = 1e-6  # of two values of a user: further apart, they are not of the same metric


@dataclass(frozen=True)
class Trial(Result):
    """Metrics on trial.

    power : metric, k, dp, dp_ordered, same_pairs, dp_low, dp_high, separated, criterion, criterion_se, in_best_set.
    agreement : metric_a, k_a, metric_b, k_b, tau. verdict : metric and k, the recommended metric; set, the metrics that
    are not significantly worse than the best; stability, the share of resamples of the users whose set contains the
    recommended metric; and more.
    """

    power: pd.DataFrame
    agreement: pd.DataFrame
    verdict: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "verdict": plain(self.verdict)}

    @property
    def with_named(self) -> pd.DataFrame:
        """How all metrics agree with the named one."""
        found = self.agreement
        own = (found["metric_a"] == self.verdict["metric"]) & (found["k_a"] == self.verdict["k"])
        return found.loc[own, ["metric_b", "k_b", "tau"]].rename(columns={"metric_b": "metric", "k_b": "k"})

    @property
    def shown(self) -> dict[str, pd.DataFrame]:
        named = f"agreement with {self.verdict['metric']}@{self.verdict['k']}"
        return {"power": self.power} | ({named: self.with_named} if self.verdict["metric"] else {})

    def __str__(self) -> str:
        best_first = self.power.sort_values("criterion", ascending=False, kind="stable")
        return "\n\n".join(["\n".join(self.notes), best_first.to_string(index=False)])


def trial(
    per_user: Any,
    ranks: Any = None,
    undefined: str = "zero",
    lower_is_better: str | Collection[str] = (),
    seed: int = 1,
    train: Any = None,
    relevant_from: float | None = None,
) -> Trial:
    """Compare metrics: which of them separate the models best, and which one to report.

    per_user : model, user and a column per metric and cut-off, such as "ndcg@10", NaN where undefined: a path (CSV,
    TSV, Parquet), a data frame, an Arrow table, or the result of ``tr.compare``. The values may come from any tool.
    ranks : exact ranks of the test items under every model (user, item, rank; candidates and rating if known), as a
    mapping by model, a folder of ``{model}.parquet``, or one table with a column model; without them robustness is not
    measured. undefined : an undefined user counts as 0 (``zero``) or is left out (``drop``). lower_is_better : metrics
    where a lower value is better; error metrics of Truerank need not be listed. train : training rows, for the
    popularity of items. relevant_from : the lowest relevant rating, for ranks with ratings.

    >>> import numpy as np, pandas as pd, truerank as tr
    >>> taste = np.random.default_rng(1).random((300, 1))
    >>> noise = np.random.default_rng(2).normal(0, 0.1, (300, 3))
    >>> fine = taste * [0.30, 0.32, 0.40] + noise
    >>> per_user = pd.concat(
    ...     pd.DataFrame({"model": name, "user": range(300), "ndcg@10": own, "precision@10": np.round(own, 0)})
    ...     for name, own in zip("abc", fine.T)
    ... )
    >>> found = tr.trial(per_user)
    >>> found.verdict["metric"], found.verdict["k"], found.verdict["set"], found.verdict["stability"]
    ('ndcg', '10', ['ndcg@10'], 1.0)
    >>> found.power[["metric", "k", "separated", "in_best_set"]]
          metric   k  separated in_best_set
    0       ndcg  10          2        True
    1  precision  10          0       False
    >>> print(found.notes[-1])
    Robustness was not measured: it needs the ranks of test items, and only per-user values were given.
    """
    check_choice("undefined", undefined, UNDEFINED_USERS)
    values = read_value_table(per_user)
    definitions = known_metrics()
    metrics = dict.fromkeys(column.rpartition("@")[0] for column in values.columns)
    lower = less_is_better(metrics, definitions, check_named(lower_is_better, values))
    tables = tables_of(values.columns, values.models, definitions, undefined, lower)
    threads, robustness = os.cpu_count() or 1, None
    remarks: list[str] = []
    with single_threaded_blas():
        if ranks is not None:
            ranked = read_rank_tables(ranks, values, train, relevant_from)
            robustness, remarks = robustness_of(ranked, values, tables, definitions, undefined, seed, threads)
        elif train is not None or relevant_from is not None:
            given = "train" if train is not None else "relevant_from"
            raise UserError(f"{given} is given without ranks, which it belongs to; give ranks, or leave it out")
        found = put_on_trial(tables, lower, seed, robustness, threads)
    if values.users.n > MOST_USERS:
        remarks.append(f"With more than {MOST_USERS:,} users p is the normal approximation of the sign-flip test.")
    verdict = NOTHING if found.verdict is None else plain(found.verdict)
    notes = [NO_RANKING] if found.verdict is None else list(sentences(found.verdict))
    return Trial(found.power.power, found.agreement, verdict, (*notes, *remarks))


def robustness_of(
    ranked: RankedModels,
    values: ValueTable,
    tables: list[Measured],
    definitions: Mapping[str, Definition],
    undefined: str,
    seed: int,
    threads: int,
) -> tuple[pd.DataFrame | None, list[str]]:
    """Return how well the metrics that ranks give keep the order of models, None if they give none; and notes."""
    notes = list(ranked.notes) + ([] if ranked.degree is not None else [NO_TRAINING])
    by_cutoff = [t for t in tables if t.judges and t.metric in definitions and (ranked.has_candidates or t.k != "all")]
    metrics = {t.metric: definitions[t.metric] for t in by_cutoff if t.metric}
    cutoffs = list(dict.fromkeys(t.k if t.k == "all" else int(t.k or 0) for t in by_cutoff))
    rule = {"threshold": ranked.relevant_from}
    columns = {f"{t.metric}@{t.k}" for t in by_cutoff}
    for place, rows in enumerate(ranked.models if metrics else []):
        own = evaluate_by_rule(rows, metrics, cutoffs, rule)
        columns = {each for each in columns if each in own and same(own[each], values.columns[each][:, place])}
    others = [f"{t.metric}@{t.k}" for t in tables if t.judges and f"{t.metric}@{t.k}" not in columns]
    if others:
        notes.append(
            f"Robustness was measured for {len(columns)} of {len(columns) + len(others)} metrics; the ranks do not "
            f"reproduce the values of {few(others, 3)}."
        )
    if not columns:
        return None, notes
    settings = read_defaults()["robustness"] | ({"popularity": []} if ranked.degree is None else {})
    degree = np.zeros(ranked.item.max() + 1, int) if ranked.degree is None else ranked.degree
    evaluation = {"relevance": rule, "undefined_users": undefined}
    rules = (metrics, cutoffs, evaluation, settings)
    found = measure(ranked.models, ranked.item, degree, *rules, ("trial",), seed, threads, only=columns)
    return found.summary, notes


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Tell whether users have the same values, undefined ones counted as 0."""
    return bool(np.allclose(np.nan_to_num(one), np.nan_to_num(other), rtol=CLOSE, atol=CLOSE))


def known_metrics() -> dict[str, Definition]:
    """Return all metrics that Truerank has, and the variants that studies know by default."""
    return {name: METRICS.named(name) for name in METRICS.entries} | read_defaults()["metrics"]


def check_named(lower_is_better: str | Collection[str], values: ValueTable) -> set[str]:
    """Return metrics without their cut-offs, each of which the table has."""
    said = [lower_is_better] if isinstance(lower_is_better, str) else list(lower_is_better)
    metrics = {column.rpartition("@")[0] for column in values.columns}
    for name in said:
        if name not in metrics and name not in values.columns:
            raise UserError(
                f"lower_is_better has {name!r}, and {values.name} the metrics {few(sorted(metrics))}, expected one of "
                "these; correct it"
            )
    return {name if name in metrics else name.rpartition("@")[0] for name in said}


def plain(value: Any) -> Any:
    """Return a mapping as JSON can have it."""
    if isinstance(value, Mapping):
        return {name: plain(own) for name, own in value.items()}
    return [plain(own) for own in value] if isinstance(value, list | tuple) else as_plain(value)
