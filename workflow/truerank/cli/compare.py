"""Whether models differ: by their lists and a test, or by values of users."""

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from truerank.cli.checks import percent
from truerank.cli.lists import FILES, add_judging, add_outputs, check_outputs, judging, write_outputs
from truerank.cli.parser import Command, add_metrics
from truerank.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

ABOUT = "compare models: their recommendations on a test set or, without --test, their metric values per user"
EFFECT = "standard deviation of differences"


def add_arguments(command: Command) -> None:
    command.takes_runs = True
    about = f"one file of recommendations per model, NAME=FILE or FILE ({FILES}), with user, item, and rank or score; "
    about += "without --test, one text file of values per model, with a user and a value per line; - is standard input"
    command.add_argument("values", nargs="+", metavar="NAME=FILE", help=about)
    command.add_argument(
        "--test", metavar="FILE", help="test rows, the items that users chose: user, item, optionally rating"
    )
    add_metrics(command, required=False)
    add_judging(command)
    about = "each file of values has different users: one value per line is enough; uses Welch's test"
    command.add_argument("--independent", action="store_true", help=about)
    command.add_argument(
        "--confidence", type=float, default=0.95, help="confidence level of each interval (%(default)s)"
    )
    command.add_argument("--seed", type=int, default=1, help="random seed of sign flips and ties (%(default)s)")
    add_outputs(command)


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield tables of models and of pairs, and lines about the method and the columns."""
    from truerank.cli import comparing

    check_use(choices)
    return comparing.run(choices) if choices.test is None else of_lists(choices)


def check_use(choices: argparse.Namespace) -> None:
    """Refuse words that belong to the other use of this command."""
    if choices.test is None:
        beside = [word for word in ("metrics", "train", "items", "columns", "relevant_from") if getattr(choices, word)]
        if beside:
            word = f"--{beside[0].replace('_', '-')}"
            raise UserError(f"{word} is for lists, which need --test, expected a file of test rows; give it")
    elif choices.independent:
        raise UserError("--independent is for files of values, expected no --test with it; leave one of them out")
    elif not choices.metrics:
        raise UserError("--metrics is missing, expected names such as ndcg@10 recall@20; give them")


def of_lists(choices: argparse.Namespace) -> Iterator[str]:
    from truerank.api.compare import compare
    from truerank.cli.comparing import legend, name_files, table

    check_outputs(choices)
    chosen = judging(choices)
    found = compare(name_files(choices.values), choices.test, choices.metrics, **chosen)
    write_outputs(choices, found)
    users = found.summary.users.max()
    yield f"{users:,} users of {choices.test}, {percent(choices.confidence)} intervals"
    yield from model_table(found.summary)
    yield ""
    yield f"paired by user: sign-flip test (seed {choices.seed}); Holm and FDR over the pairs under each metric"
    yield from table(found.pairs, {})
    yield legend(EFFECT)
    yield from found.notes


def model_table(summary: "pd.DataFrame") -> Iterator[str]:
    """Yield a line per metric and model: value and interval."""
    from truerank.cli.tables import decimal, interval, lines_of

    columns = {"metric": [f"{name}@{k}" for name, k in zip(summary.metric, summary.k, strict=True)]}
    if "model" in summary:
        columns["model"] = list(summary.model)
    names = len(columns)
    columns["value"] = [decimal(value) for value in summary.value]
    columns["interval"] = [interval(low, high) for low, high in zip(summary.ci_low, summary.ci_high, strict=True)]
    columns["users"] = [f"{users:,}" for users in summary.users]
    columns["undefined"] = [f"{users:,}" for users in summary.undefined]
    yield from lines_of(columns, names)
