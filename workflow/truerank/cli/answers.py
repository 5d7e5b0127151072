"""Files that a command's result may be written to."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from truerank.api.results import Result


def add_files(command: argparse.ArgumentParser) -> None:
    """Add ``--json FILE`` and ``--html FILE``."""
    command.add_argument("--json", metavar="FILE", help="write the result to this file, in full precision")
    command.add_argument("--html", metavar="FILE", help="write the result to this file, as an HTML page")


def save(result: "Result", choices: argparse.Namespace) -> None:
    """Write the files that were asked for."""
    if choices.json:
        result.to_json(choices.json)
    if choices.html:
        result.to_html(choices.html)
