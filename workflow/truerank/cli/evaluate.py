"""How good the lists of a model are."""

import argparse
import os
from collections.abc import Iterator

from truerank.cli.checks import percent
from truerank.cli.lists import FILES, add_judging, add_outputs, check_outputs, judging, write_outputs
from truerank.cli.parser import Command, add_metrics

ABOUT = "evaluate the recommendations of one model on a test set"


def add_arguments(command: Command) -> None:
    command.takes_runs = True
    command.add_argument(
        "run_file",
        metavar="RUN",
        help=f"recommendations, FILE or NAME=FILE ({FILES}), with user, item, and rank or score",
    )
    about = "test rows, the items that users chose: user, item, optionally rating"
    command.add_argument("--test", required=True, metavar="FILE", help=about)
    add_metrics(command)
    add_judging(command)
    command.add_argument(
        "--confidence", type=float, default=0.95, help="confidence level of the intervals (%(default)s)"
    )
    command.add_argument("--seed", type=int, default=1, help="random seed of ties (%(default)s)")
    command.add_argument("--per-user", metavar="FILE", help="write the values of every user to this CSV file")
    add_outputs(command)


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield a table with a line per metric, and what else is to be told."""
    from truerank.api.evaluate import evaluate
    from truerank.cli.compare import model_table

    check_outputs(choices, "json", "html", "per_user")
    name, _, path = choices.run_file.rpartition("=")
    run = choices.run_file if not name or os.path.lexists(choices.run_file) else path
    found = evaluate(run, choices.test, choices.metrics, **judging(choices))
    write_outputs(choices, found)
    if choices.per_user is not None:
        found.to_csv(choices.per_user, "per_user")
    yield f"{len(found.per_user):,} users of {choices.test}, {percent(choices.confidence)} intervals"
    yield from model_table(found.summary)
    yield from found.notes
