"""How many negatives identify a metric."""

import argparse
from collections.abc import Iterator

from truerank.cli.answers import add_files, save
from truerank.cli.parser import add_metrics

ABOUT = "compute how many negatives give bounds of a given width, for data like these ranks"
NAMES = ("metrics", "width", "items", "negatives", "users", "confidence", "replace")


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "ranks", help="file of exact ranks (with a candidates column or --items), or of ranks among --negatives"
    )
    command.add_argument("--width", type=float, required=True, help="width of the bounds, such as 0.05")
    command.add_argument(
        "--items", type=int, help="number of candidates per user in the full catalogue (default: mean of candidates)"
    )
    command.add_argument(
        "--negatives", type=int, help="number of sampled negatives per test item (default: the ranks are exact)"
    )
    command.add_argument("--users", type=int, help="planned number of users (default: as in the file)")
    add_metrics(command)
    command.add_argument("--confidence", type=float, default=0.95, help="confidence level of the bounds (%(default)s)")
    command.add_argument("--replace", action="store_true", help="negatives are drawn with replacement")
    add_files(command)


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield the negatives of each metric, the bounds that are expected then, and what they rest on."""
    from truerank.api.plan import plan

    found = plan("negatives", choices.ranks, **{name: getattr(choices, name) for name in NAMES})
    save(found, choices)
    for row in found.to_dict()["plan"]:
        name = row["metric"] if row["k"] == "all" else f"{row['metric']}@{row['k']}"
        if row["negatives"] is not None:
            yield f"{row['negatives']:>9,} negatives: {name} within bounds of {row['low']:.4f} to {row['high']:.4f}"
    yield from found.notes
