"""How many users to sample."""

import argparse
from collections.abc import Iterator

from truerank.cli.answers import add_files, save
from truerank.cli.checks import percent

ABOUT = "compute how many users to sample for a given margin of error"
NAMES = ("margin", "confidence", "models", "share", "population")


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--margin", type=float, required=True, help="half width of the interval, such as 0.01")
    command.add_argument(
        "--confidence", type=float, default=0.95, help="confidence that all intervals hold together (%(default)s)"
    )
    command.add_argument("--models", type=int, default=1, help="number of models to evaluate or compare (%(default)s)")
    command.add_argument(
        "--share", type=float, default=0.5, help="expected recall; 0.5 is the worst case (%(default)s)"
    )
    command.add_argument(
        "--population", type=int, help="total number of users, sampled without replacement (default: infinite)"
    )
    add_files(command)


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield the users needed for one metric per model, for differences of pairs, and without assumptions."""
    from truerank.api.plan import plan

    found = plan("users", **{name: getattr(choices, name) for name in NAMES})
    save(found, choices)
    width = f"within {choices.margin:g} at {percent(choices.confidence)} confidence"
    for row in found.frame().itertuples():
        quantity = row.quantity.replace("each model", f"{choices.models} model(s)")
        each = "" if quantity.startswith("difference") else "each "
        method = "" if row.method == "normal" else f" ({row.method})"
        yield f"{row.users:>9,} users: {quantity}, {each}{width}{method}"
