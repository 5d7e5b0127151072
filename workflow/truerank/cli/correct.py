"""Estimates of the metrics on all items from ranks among sampled ones."""

import argparse
from collections.abc import Iterator

from truerank.cli.answers import add_files, save
from truerank.cli.parser import add_items, add_metrics

ABOUT = "estimate full-catalogue metrics from sampled ranks, with bootstrap intervals and bounds"


def add_arguments(command: argparse.ArgumentParser) -> None:
    about = "file of sampled ranks, one per line, from 1 to negatives + 1; may have a header; - is standard input"
    command.add_argument("ranks", help=about)
    add_items(command)
    command.add_argument("--negatives", type=int, required=True, help="number of sampled negatives per test item")
    command.add_argument(
        "--estimator", default="monotone_mle", help="name of an estimator, see `truerank list estimators` (%(default)s)"
    )
    add_metrics(command)
    command.add_argument("--resamples", type=int, default=200, help="bootstrap resamples (%(default)s)")
    command.add_argument(
        "--confidence", type=float, default=0.95, help="confidence level of intervals and bounds (%(default)s)"
    )
    command.add_argument("--seed", type=int, default=1, help="random seed of the bootstrap (%(default)s)")
    command.add_argument("--replace", action="store_true", help="negatives were drawn with replacement")
    about = "test rows; the first file then has candidate lists: user, item, and rank or score"
    command.add_argument("--test", metavar="FILE", help=about)
    add_files(command)


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield one line per metric, the estimate with its interval and bounds, and what they rest on."""
    from truerank.api.correct import correct
    from truerank.cli import say

    names = ("items", "negatives", "metrics", "estimator", "confidence", "seed", "resamples", "replace", "test")
    found = correct(choices.ranks, **{name: getattr(choices, name) for name in names}, callback=say)
    save(found, choices)
    first, *others = found.notes
    yield first
    for row in found.estimates.itertuples(index=False):
        name = row.metric if row.k == "all" else f"{row.metric}@{row.k}"
        ends = f"[{row.ci_low:.4f}, {row.ci_high:.4f}]  bounds [{row.bound_low:.4f}, {row.bound_high:.4f}]"
        yield f"{name:12} {row.estimate:.4f}  {ends}  identified: {'yes' if row.identified else 'no'}"
    yield from others
