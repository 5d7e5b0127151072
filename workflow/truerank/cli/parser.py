"""The words of the command line."""

import argparse
from importlib import import_module

from truerank import __version__


def parser() -> argparse.ArgumentParser:
    """Return the parser; what it reads has the function ``run``, which takes that result and yields lines."""
    top = argparse.ArgumentParser(
        prog="truerank", description="Correct sampled metrics, plan and compare samples of users, export."
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = top.add_subparsers(required=True, metavar="command")
    about = "estimate the metrics on all items from ranks among sampled ones, with bootstrap intervals"
    correct = add_command(commands, "correct", about)
    about = "text file, one rank per line from 1 to negatives + 1; a heading is allowed; - is standard input"
    correct.add_argument("ranks", help=about)
    correct.add_argument("--items", type=int, required=True, help="candidates per user on the full catalogue")
    correct.add_argument("--negatives", type=int, required=True, help="sampled items that each was ranked among")
    correct.add_argument(
        "--estimator", default="mn_mes", help="name as in workflow/truerank/config/defaults.yaml (%(default)s)"
    )
    correct.add_argument("--metric", action="append", required=True, help="such as recall@10 or auc; may be repeated")
    correct.add_argument("--resamples", type=int, default=200, help="of the bootstrap (%(default)s)")
    correct.add_argument("--confidence", type=float, default=0.95, help="of the intervals (%(default)s)")
    correct.add_argument("--seed", type=int, default=1, help="of the bootstrap (%(default)s)")
    plan = add_command(commands, "plan", "say how many users to sample for a margin of error")
    plan.add_argument("--margin", type=float, required=True, help="half width of the interval, such as 0.01")
    plan.add_argument("--confidence", type=float, default=0.95, help="that all intervals hold at once (%(default)s)")
    plan.add_argument("--models", type=int, default=1, help="models to be measured or compared (%(default)s)")
    plan.add_argument("--share", type=float, default=0.5, help="expected recall; 0.5 is the worst case (%(default)s)")
    plan.add_argument("--population", type=int, help="users in all, drawn from without replacement (endless)")
    about = "test whether models differ that were measured on the same users, or each on users of its own"
    compare = add_command(commands, "compare", about)
    about = "text files, one per model, as FILE or NAME=FILE, with a user and its value per line; - is standard input"
    compare.add_argument("values", nargs="+", help=about)
    about = "the files have users of their own: one value per line is enough, and Welch's test compares them"
    compare.add_argument("--independent", action="store_true", help=about)
    compare.add_argument("--confidence", type=float, default=0.95, help="of each interval (%(default)s)")
    compare.add_argument("--seed", type=int, default=1, help="of the sign flips (%(default)s)")
    compare.add_argument("--json", metavar="FILE", help="file to write means and pairs to, with all their digits")
    about = "write a study's lists as TREC runs, its test sets as qrels, and its values as CSV and LaTeX"
    export = add_command(commands, "export", about)
    export.add_argument("results", help="folder of results that the workflow wrote")
    export.add_argument("--to", required=True, help="folder to write to, one folder per dataset and split in it")
    about = "lowest rating that is relevant, as relevance.threshold of the study; without it qrels hold the ratings"
    export.add_argument("--threshold", type=float, help=about)
    return top


def add_command(commands: argparse._SubParsersAction, name: str, about: str) -> argparse.ArgumentParser:
    """Add a command that the module of its name runs, which is imported only then."""
    made = commands.add_parser(name, help=about, description=about)
    made.set_defaults(run=lambda choices: import_module(f"truerank.cli.{name}").run(choices))
    return made
