"""Measure a recommender on rows held out of the training part, by the stages that a study measures it with.

The test part is never read. Files go to a folder of one's own, and the next measurement writes them anew.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from truerank.artefacts.files import read_table
from truerank.errors import UserError
from truerank.stages.evaluate_metrics import evaluate_metrics
from truerank.stages.rank_items import rank_items
from truerank.stages.split_interactions import split_interactions
from truerank.stages.train_model import train_model


@dataclass(frozen=True)
class HeldOut:
    """Where the data is, and how values are computed.

    folder : for files. users, items, facts : paths of the dataset's tables and summary. names : dataset, split, model.
    metrics : name -> definition, one. k : its cut-off. evaluation : ties, relevance and undefined_users of the study.
    """

    folder: Path
    users: str
    items: str
    facts: str
    names: tuple
    metrics: dict
    k: int | str
    evaluation: dict
    seed: int

    def cut(self, train, validation):
        """Cut the training part in two by the split that ``validation`` defines, the same way for all models."""
        dataset, split, _ = self.names
        parts = [self.folder / name for name in ("train.parquet", "test.parquet", "split.json")]
        try:
            split_interactions(train, validation, dataset, f"{split}/validation", self.seed, *parts)
        except UserError as failure:
            raise UserError(f"tuning.validation cannot be used on {dataset}/{split}: {failure}") from failure

    def value(self, definition):
        """Return the metric of the recommender that ``definition`` describes, None where it has none."""
        made = {name: self.folder / name for name in ("train.parquet", "test.parquet", "model.npz", "training.parquet")}
        data = {"users": self.users, "items": self.items, "train": made["train.parquet"]}
        choices = {"definition": definition, "names": self.names, "seed": self.seed}
        ranks, lists, per_user, summary = (
            self.folder / f"{name}.parquet" for name in ("ranks", "lists", "per_user", "summary")
        )
        train_model(**data, **choices, model=made["model.npz"], training=made["training.parquet"])
        tests = {"test": made["test.parquet"], "model": made["model.npz"], "ties": self.evaluation["ties"]}
        rank_items(**data, **choices, **tests, threads=1, ranks=ranks, lists=lists)
        rules = {name: self.evaluation[name] for name in ("relevance", "undefined_users")}
        rules |= {"metrics": self.metrics, "cutoffs": [self.k], "facts": self.facts}
        tables = {"ranks": {"this": ranks}, "lists": {"this": lists}}
        evaluate_metrics(**tables, **data, **rules, per_user=per_user, summary=summary)
        values = read_table(summary)["value"].astype(float)
        return float(values[0]) if np.isfinite(values).any() else None
