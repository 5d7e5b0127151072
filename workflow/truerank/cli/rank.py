"""Where a model's scores put the test items."""

import argparse
from collections.abc import Iterator

from truerank.cli.lists import FILES, add_outputs, add_ties, as_columns, as_items, check_outputs, write_outputs

ABOUT = "rank test items among all candidates by the scores of a model; prints CSV: user, item, rank, candidates"


def add_arguments(command: argparse.ArgumentParser) -> None:
    about = f"scores of the model: user, item, and score or rank ({FILES})"
    command.add_argument("scores", metavar="SCORES", help=about)
    command.add_argument("--train", metavar="FILE", help="training rows; a user's training items are not candidates")
    command.add_argument("--test", required=True, metavar="FILE", help="test rows: user, item, optionally rating")
    about = "number of items in the catalogue, or a file with one id per line"
    command.add_argument("--items", metavar="N|FILE", help=about)
    about = "unseen: items not in the user's training (default); all: every item; tested: unseen items of any test row"
    command.add_argument("--candidates", choices=["unseen", "all", "tested"], default="unseen", help=about)
    add_ties(command)
    about = "column names, such as user=customer_id,item=sku; without a header, column numbers from 0"
    command.add_argument("--columns", metavar="ROLE=NAME,..", help=about)
    command.add_argument("--seed", type=int, default=1, help="random seed of ties (%(default)s)")
    command.add_argument("--csv", metavar="FILE", help="write the ranks to this file instead of printing them")
    add_outputs(command)


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield the ranks as CSV, or how many were written."""
    from truerank.api.rank import rank
    from truerank.cli import say

    check_outputs(choices, "json", "html", "csv")
    same = {name: getattr(choices, name) for name in ("candidates", "ties", "seed")}
    about = {**same, "items": as_items(choices.items), "columns": as_columns(choices.columns)}
    found = rank(choices.scores, choices.train, choices.test, **about)
    write_outputs(choices, found)
    for note in found.notes:
        say(note)
    if choices.csv is None:
        yield from found.to_csv().splitlines()
    else:
        found.to_csv(choices.csv)
        yield f"{len(found):,} ranks of {found['user'].nunique():,} users are in {choices.csv}"
