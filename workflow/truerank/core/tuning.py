"""Measure a recommender on rows held out of the training part; the test part is never seen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from truerank.artefacts.split import TestRows
from truerank.core.evaluation import evaluate_by_rule, summary_rows
from truerank.core.ranking import rank
from truerank.core.splitting import hold_out
from truerank.core.training import train
from truerank.errors import UserError
from truerank.metrics._core.bounds import Extent
from truerank.metrics._core.judged import Scale
from truerank.models._core.base import Train
from truerank.registry import Cutoff, Definition, Definitions


@dataclass(frozen=True)
class HeldOut:
    """Training rows cut in two, and how a recommender is measured on the second part.

    names : dataset, split, model. metrics : name -> definition, one of ranks or predictions. k : its cut-off.
    evaluation : ties, candidates, relevance and undefined_users of the study. Candidates
    that are ``tested`` are those of the second part.
    """

    history: Train
    test: TestRows
    scale: Scale | None
    names: tuple[str, ...]
    metrics: Definitions
    k: Cutoff
    evaluation: Mapping[str, Any]
    seed: int

    def value(self, definition: Definition) -> float | None:
        """Return the metric of the recommender that ``definition`` describes, None where it has none."""
        model = train(definition, self.history, self.names, self.seed)
        rules = {name: self.evaluation[name] for name in ("ties", "candidates")}
        table, _ = rank(model, self.history, self.test, self.names, self.seed, **rules)
        found = table.judgements(self.history, self.scale)
        asked = self.metrics, [self.k], self.evaluation["relevance"]
        extent = Extent(self.history.n_users, self.history.n_items, depth=100, scale=self.scale)
        values = evaluate_by_rule(found, *asked)
        rows = summary_rows("this", values, *asked, self.evaluation["undefined_users"], extent)
        means = [row[3] for row in rows if np.isfinite(row[3])]
        return float(means[0]) if means else None


def cut_in_two(
    rows: pa.Table, history: Train, validation: Definition, names: tuple[str, ...], seed: int
) -> tuple[Train, TestRows]:
    """Hold rows out of the training part by the split that ``validation`` defines, the same way for all models.

    rows : the training rows as a table, and ``history`` the same as recommenders take them.
    """
    dataset, split, _ = names
    try:
        parts = hold_out(rows, validation, (dataset, f"{split}/validation"), seed, "the training rows")
    except UserError as failure:
        raise UserError(f"tuning.validation cannot be used on {dataset}/{split}: {failure}") from failure
    kept, test = (columns_of(table) for table in (parts.train, parts.test))
    rating = None if np.isnan(kept.rating).all() else kept.rating
    return Train(kept.user, kept.item, history.n_users, history.n_items, rating, history.context), test


def columns_of(table: pa.Table) -> TestRows:
    return TestRows(*(table[name].to_numpy() for name in ("user", "item", "rating")))
