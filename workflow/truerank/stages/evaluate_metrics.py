"""Evaluate all metrics at all cut-offs for all models of a split."""

from dataclasses import asdict

import numpy as np
import pandas as pd

from truerank.metrics.evaluation import evaluate, mean_over_users
from truerank.metrics.judged import Judged
from truerank.stages.files import read_columns, write_table


def evaluate_metrics(ranks, metrics, cutoffs, relevance, undefined_users, per_user, summary):
    """Write per-user values, and their means over users with 95 % intervals.

    ranks : model -> path of its rank table. metrics : name -> definition. A user whose value is undefined is null.
    """
    values, means = [], []
    for model, path in ranks.items():
        judged = read_judged(path, relevance)
        columns = evaluate(judged, metrics, cutoffs)
        values.append(pd.DataFrame({"model": model, "user": judged.users, **columns}))
        for column, of_users in columns.items():
            metric, _, k = column.rpartition("@")
            mean = mean_over_users(of_users, undefined_users)
            means.append({"model": model, "metric": metric, "k": k, **asdict(mean)})
    write_table(per_user, pd.concat(values, ignore_index=True))
    write_table(summary, pd.DataFrame(means))


def read_judged(path, relevance):
    """Read a rank table. Relevant is a rating of at least the threshold; without ratings, every test item."""
    user, rating, above, before, candidates = read_columns(path, "user", "rating", "above", "before", "candidates")
    rank = 1 + above + before
    if np.isnan(rating).all():
        return Judged(user, rank, np.ones(len(user), bool), candidates)
    return Judged(user, rank, rating >= relevance["threshold"], candidates, rating)
