"""The study: Snakemake underneath, its options passed on."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from truerank.errors import UserError

ABOUT = "run a study: split, train, rank, evaluate, compare metrics, report; options for Snakemake go after --"


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.usage = "%(prog)s [study ...] [--cores N] [--directory DIR] [-- SNAKEMAKE'S OPTIONS]"
    about = "config file or name of a ready study; several are merged key by key, later ones win; "
    about += "default: the study that comes with Truerank, of MovieLens 100K"
    command.add_argument("studies", metavar="study", nargs="*", help=about)
    about = "number of cores, or all (default: all, unless jobs go to a cluster)"
    command.add_argument("--cores", metavar="N", type=number_of_cores, help=about)
    command.add_argument(
        "--directory",
        metavar="DIR",
        default=".",
        help="work directory, where results/ is written (default: the current one)",
    )


def number_of_cores(text: str) -> str:
    if text != "all" and not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is neither a whole number from 1 on nor all")
    return text


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Become Snakemake, in the same process, when all is right for it."""
    from truerank.launch import check_command
    from truerank.launch.command import check_installed, snakemake_command
    from truerank.launch.unchanged import answered, ask
    from truerank.launch.workdir import hold_folder

    check_installed()
    command = snakemake_command(choices.studies, choices.directory, choices.cores, choices.passed_on)
    if not any(word.startswith("-") for word in choices.passed_on):  # there are targets, or nothing
        if answered([*command, os.getcwd()], choices.directory):
            print("Nothing to do: all results are there and up to date.", file=sys.stderr)
            return
        ask([*command, os.getcwd()])
    check_command(command[3:])
    try:
        Path(choices.directory).mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        reason = (failure.strerror or str(failure)).lower()
        raise UserError(
            f"{choices.directory} cannot be created: {reason}; give another folder after --directory"
        ) from None
    hold_folder(choices.directory, through_exec=True)
    os.execv(command[0], command)
    yield ""  # not reached: a command yields lines
