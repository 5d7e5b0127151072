"""The metrics of lists, per user, by the definitions that studies use."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.api.inputs.lists import TIES, UNKNOWN, Placed, place
from truerank.api.inputs.sources import Columns
from truerank.api.inputs.truth import Truth, read_truth
from truerank.artefacts.rank_table import judgements
from truerank.config.merging import read_defaults
from truerank.core.evaluation import evaluate_by_rule
from truerank.errors import UserError
from truerank.meta.significance import UNDEFINED_USERS
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.evaluation import evaluate, limits, policy_of
from truerank.metrics._core.judged import JudgedRanks
from truerank.metrics._core.names import Asked, parse_metrics
from truerank.ranking.positions import UNLISTED
from truerank.registry import METRICS, Definition, unknown

WHOLE_LIST = UNLISTED - 1  # a cut-off that no list reaches


@dataclass(frozen=True)
class Column:
    """A metric at a cut-off that was asked for. low, high : its range. policy : what becomes of undefined users."""

    asked: Asked
    definition: Definition
    low: float
    high: float
    policy: str

    @property
    def named(self) -> dict[str, str]:
        return {"metric": self.asked.name, "k": str(self.asked.k)}


class Judge:
    """Everything that does not depend on a model: test rows, the metrics that are asked for, and the rules.

    ``values`` of a model's lists are per user, in the order of ``users``. Settings and their defaults are those of
    ``evaluate``.
    """

    def __init__(
        self,
        test: Any,
        metrics: str | Iterable[str],
        train: Any,
        items: Any,
        relevant_from: float | None,
        undefined_users: str,
        unknown: str,
        ties: str,
        columns: Columns | None,
        confidence: float,
        seed: int,
    ) -> None:
        check_choice("undefined_users", undefined_users, UNDEFINED_USERS)
        check_choice("unknown", unknown, UNKNOWN)
        check_choice("ties", ties, TIES)
        check_columns(columns)
        if not 0 < confidence < 1:
            raise UserError(f"confidence is {confidence:g}, expected more than 0 and less than 1; correct it")
        self.undefined_users, self.unknown, self.ties = undefined_users, unknown, ties
        self.columns, self.confidence, self.seed = columns, confidence, seed
        variants = ranked_variants()
        texts = [metrics] if isinstance(metrics, str) else list(metrics)
        if not texts:
            raise UserError("metrics is empty, expected names such as ndcg@10; give one")
        self.asked = list(dict.fromkeys(parse_metrics(texts, variants)))
        self.definitions = {each.name: variants.get(each.name, METRICS.named(each.name)) for each in self.asked}
        self.truth = read_truth(test, train, items, relevant_from, columns)
        self.notes = [f"{each.note}." for each in self.asked if each.note] + self.truth.notes
        if self.truth.n_items is None:
            self.check_catalogue()

    @property
    def users(self) -> np.ndarray:
        """The ids of the test's users."""
        return self.truth.users.column()

    def check_catalogue(self) -> None:
        """Refuse metrics that depend on how many candidates there are, if nothing tells how many."""
        for each in self.asked:
            if each.k == "all" and needs_candidates(self.definitions[each.name]):
                form = each.name if not METRICS.of(self.definitions[each.name]).has_cutoff else each.column
                raise UserError(
                    f"metric {form!r} needs the number of candidates, which lists and test do not contain; give items, "
                    "the number of items or their ids, or the training rows as train"
                )

    def place(self, run: Any, name: str) -> Placed:
        """Return where the lists of a model have the test items."""
        placed = place(run, name, self.truth, self.columns, self.unknown, self.ties, self.seed)
        if placed.n_absent:
            sentence = f"{placed.n_absent:,} of {self.truth.n_users:,} users are not in {placed.name}: they score 0."
            placed.notes.insert(0, sentence)
        return placed

    def values(self, placed: Placed) -> dict[str, np.ndarray]:
        """Return the values of every user by column, NaN where undefined."""
        truth = self.truth
        candidates = np.full(len(truth.user), UNLISTED) if placed.candidates is None else placed.candidates
        rows = judgements(
            truth.user, placed.rank, candidates, truth.rating, None, history=truth.history, scale=truth.scale
        )
        rule = {"threshold": truth.relevant_from if truth.relevant_from is not None else 0}
        cutoffs = {self.number(each, placed) for each in self.asked}
        values = evaluate_by_rule(rows, self.definitions, cutoffs, rule)
        found = {}
        for each in self.asked:
            has_cutoff = METRICS.of(self.definitions[each.name]).has_cutoff
            k = self.number(each, placed) if has_cutoff else "all"
            found[each.column] = values[f"{each.name}@{k}"]
        return found

    def number(self, asked: Asked, placed: Placed) -> int | str:
        """Return a cut-off; without the number of candidates, all places are those of the list."""
        return WHOLE_LIST if asked.k == "all" and placed.candidates is None else asked.k

    def described(self) -> list[Column]:
        """Return what was asked for, with ranges; call it when all lists have been read."""
        truth = self.truth
        check_all_found(self.columns, truth)
        extent = Extent(truth.n_users, truth.n_items or truth.items.n, 1, truth.scale)
        found = []
        for each in self.asked:
            definition = {"relevance": {"threshold": truth.relevant_from}, **self.definitions[each.name]}
            low, (high, *_) = limits(definition, [each.k], extent)
            found.append(Column(each, definition, low, float(high), policy_of(definition, self.undefined_users)))
        return found


def needs_candidates(definition: Definition) -> bool:
    """Tell whether a metric without a cut-off depends on the number of candidates: compare two numbers."""
    user, relevant = np.array([0, 0]), np.array([True, True])
    few, many = (JudgedRanks(user, np.array([2, 5]), relevant, np.full(2, n)) for n in (9, 90))
    one, other = (evaluate(each, {"m": definition}, ["all"])["m@all"] for each in (few, many))
    return bool(one != other)


def ranked_variants() -> dict[str, Definition]:
    """Return the variants of metrics of ranks that studies know by default, such as ndcg_binary."""
    defined = read_defaults()["metrics"]
    return {name: each for name, each in defined.items() if METRICS.of(each).facts.needs == "ranks"}


def check_choice(name: str, value: str, choices: Collection[str]) -> None:
    if value not in choices:
        raise UserError(f"{name} is {value!r}, expected one of: {', '.join(choices)}; correct it")


def check_columns(columns: Columns | None) -> None:
    roles = ("user", "item", "rank", "score", "rating")
    if columns is not None and (not isinstance(columns, Mapping) or not set(columns) <= set(roles)):
        raise UserError(f"columns is {columns!r}, expected names of columns by {', '.join(roles)}; correct it")


def check_all_found(columns: Columns | None, truth: Truth) -> None:
    """Refuse names of columns that none of the tables has, when all have been read."""
    for role, name in (columns or {}).items():
        if str(name) not in truth.columns:
            raise UserError(f"columns, {role}: {unknown('column', str(name), sorted(truth.columns))}; correct it")
