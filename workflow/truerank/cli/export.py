"""What another tool can go on with."""

import argparse
from collections.abc import Iterator

from truerank.errors import UserError
from truerank.export import export


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield one line per split that was written."""
    try:
        yield from export(choices.results, choices.to, choices.threshold)
    except OSError as failure:
        told = (
            f"{failure.filename} cannot be used: {(failure.strerror or str(failure)).lower()}"
            if failure.filename
            else str(failure)
        )
        raise UserError(f"{told}; give the whole results folder, and after --to a folder that can be written") from None
