"""How many negatives identify a metric."""

import argparse
from collections.abc import Iterator

from truerank.cli.answers import add_files, save
from truerank.cli.parser import add_metrics

ABOUT = "say how many negatives narrow the bounds of a metric to a width, on data such as some ranks"
NAMES = ("metrics", "width", "items", "negatives", "users", "confidence", "replace")


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("ranks", help="file of exact ranks, with candidates or --items; or of ranks among --negatives")
    command.add_argument("--width", type=float, required=True, help="of the bounds, such as 0.05")
    command.add_argument("--items", type=int, help="candidates per user on the full catalogue (mean of candidates)")
    command.add_argument("--negatives", type=int, help="sampled items that each was ranked among (ranks are exact)")
    command.add_argument("--users", type=int, help="how many there will be (as many as are in the file)")
    add_metrics(command)
    command.add_argument("--confidence", type=float, default=0.95, help="of the bounds (%(default)s)")
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
