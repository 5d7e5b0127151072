"""Where a model's scores put the test items."""

import argparse
from collections.abc import Iterator

from truerank.cli.lists import FILES, add_outputs, add_ties, as_columns, as_items, check_outputs, write_outputs

ABOUT = "rank test items among all candidates by a model's scores; prints CSV: user, item, rank, candidates"


def add_arguments(command: argparse.ArgumentParser) -> None:
    about = f"what the model gives to users and items: user, item, and score or rank ({FILES})"
    command.add_argument("scores", metavar="SCORES", help=about)
    command.add_argument("--train", metavar="FILE", help="training rows: their items are no candidates of the user")
    command.add_argument("--test", required=True, metavar="FILE", help="test rows: user, item, and a rating if any")
    about = "the number of items of the catalogue, or a file with an id per line"
    command.add_argument("--items", metavar="N|FILE", help=about)
    about = (
        "all items but the user's training items (unseen, the default), all items, or unseen items of anybody's test"
    )
    command.add_argument("--candidates", choices=["unseen", "all", "tested"], default="unseen", help=about)
    add_ties(command)
    about = "names of columns, such as user=customer_id,item=sku; numbers from 0 where there is no header"
    command.add_argument("--columns", metavar="ROLE=NAME,..", help=about)
    command.add_argument("--seed", type=int, default=1, help="of the order of ties (%(default)s)")
    command.add_argument("--csv", metavar="FILE", help="file to write the ranks to, instead of printing them")
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
