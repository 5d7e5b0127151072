"""How many scores of an expensive model to request."""

import argparse
from collections.abc import Iterator

from truerank.cli.answers import add_files, save

ABOUT = "compute how many scores per user an expensive model needs for a given error"
NAMES = ("train", "test", "error", "k", "proxy", "stand_in", "items", "repeats", "seed")


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--train", required=True, metavar="FILE", help="training rows: user, item, optionally rating")
    command.add_argument("--test", required=True, metavar="FILE", help="test rows")
    command.add_argument("--error", type=float, required=True, help="mean relative error of recall, such as 0.03")
    command.add_argument("--k", type=int, default=10, help="the largest cut-off (%(default)s)")
    command.add_argument(
        "--proxy", default="popularity", help="cheap model whose order decides what to score first (%(default)s)"
    )
    command.add_argument(
        "--stand-in",
        default="ials",
        help="cheap model that replaces the expensive one in this simulation (%(default)s)",
    )
    command.add_argument(
        "--items", metavar="FILE", help="ids of the catalogue, one per line, if it has more items than train and test"
    )
    command.add_argument("--repeats", type=int, default=3, help="repeats per budget (%(default)s)")
    command.add_argument("--seed", type=int, default=1, help="random seed (%(default)s)")
    add_files(command)


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield the scores per user by each way to evaluate."""
    from truerank.api.plan import plan

    found = plan("scores", **{name: getattr(choices, name) for name in NAMES})
    save(found, choices)
    for row in found.frames["plan"].itertuples():
        unknown = row.scores != row.scores
        needed = "more than half of the" if unknown else f"{row.scores:,.1f}"
        share = "" if unknown else f" ({row.share:.1%} of all)"
        within = "no error" if row.method == "exact" else f"error {choices.error:.12g}"
        yield f"{needed} scores per user{share}: {row.method}, {within}"
    yield from found.notes
