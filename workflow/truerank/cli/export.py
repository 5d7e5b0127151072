"""What another tool can go on with."""

import argparse
from collections.abc import Iterator

from truerank.errors import UserError

ABOUT = "write a study's lists as TREC runs, its test sets as qrels, and its values as CSV and LaTeX"


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("results", help="results folder of a study")
    command.add_argument("--to", required=True, help="output folder; gets one subfolder per dataset and split")
    about = "lowest relevant rating, as relevance.threshold of the study; without it qrels contain the ratings"
    command.add_argument("--threshold", type=float, help=about)


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield one line per split that was written."""
    from truerank.export import export

    try:
        yield from export(choices.results, choices.to, choices.threshold)
    except OSError as failure:
        problem = (
            f"{failure.filename} cannot be used: {(failure.strerror or str(failure)).lower()}"
            if failure.filename
            else str(failure)
        )
        raise UserError(
            f"{problem}; give the whole results folder, and after --to a folder that can be written"
        ) from None
