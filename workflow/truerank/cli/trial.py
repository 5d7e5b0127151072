"""Which metric to report, from a table of everybody's values."""

import argparse
from collections.abc import Iterator

from truerank.cli.lists import add_outputs, check_outputs, write_outputs

ABOUT = "compare metrics: which of them separates the models best? Needs metric values per user"


def add_arguments(command: argparse.ArgumentParser) -> None:
    about = "table (CSV, TSV, Parquet) with model, user and one column per metric and cut-off, such as ndcg@10"
    command.add_argument("per_user", metavar="PER_USER", help=about)
    about = (
        "exact ranks of test items, to measure robustness: a folder of MODEL.parquet, or a table with a model column"
    )
    command.add_argument("--ranks", metavar="FILE|FOLDER", help=about)
    about = "training rows, for the popularity of items; only with --ranks"
    command.add_argument("--train", metavar="FILE", help=about)
    about = "lowest relevant rating; only with --ranks that have ratings"
    command.add_argument("--relevant-from", type=float, metavar="RATING", help=about)
    about = "users without a value count as 0 (zero, the default) or are left out (drop)"
    command.add_argument("--undefined", choices=["zero", "drop"], default="zero", help=about)
    about = "metrics where a lower value is better; error metrics of Truerank need not be listed"
    command.add_argument("--lower-is-better", nargs="+", action="extend", default=[], metavar="METRIC", help=about)
    command.add_argument("--seed", type=int, default=1, help="random seed of sign flips and resamples (%(default)s)")
    add_outputs(command)


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield the verdict in sentences, and a line per metric, the best first."""
    from truerank.api.trial import trial
    from truerank.cli.tables import decimal, lines_of

    check_outputs(choices)
    names = ("per_user", "ranks", "undefined", "lower_is_better", "seed", "train", "relevant_from")
    found = trial(**{name: getattr(choices, name) for name in names})
    write_outputs(choices, found)
    yield from found.notes
    power = found.power.sort_values("criterion", ascending=False, kind="stable")
    yield from lines_of(
        {
            "metric": [f"{metric}@{k}" for metric, k in zip(power.metric, power.k, strict=True)],
            "criterion": [decimal(value) for value in power.criterion],
            "error": [decimal(value) for value in power.criterion_se],
            "in set": [{True: "yes", False: "no"}.get(value, "-") for value in power.in_best_set],
            "separated": [str(value) for value in power.separated],
            "dp": [decimal(value, 3) for value in power.dp],
        }
    )
