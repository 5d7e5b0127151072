"""What sampled ranks, or a printed table, can tell of the metrics on all items."""

import argparse
from collections.abc import Iterator

from truerank.cli.answers import add_files, save
from truerank.cli.parser import add_items, add_metrics
from truerank.errors import UserError

ABOUT = "compute bounds of full-catalogue metrics from sampled ranks, or from the numbers that a paper prints"


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "ranks", nargs="?", help="file of sampled ranks, from 1 to negatives + 1: text, one per line, or Parquet"
    )
    add_items(command)
    about = "number of sampled negatives per test item; for adaptive sets all sizes, such as 99,199,399"
    command.add_argument("--negatives", type=numbers, required=True, help=about)
    command.add_argument("--users", type=int, help="number of users behind the printed numbers")
    command.add_argument("--given", nargs="+", metavar="METRIC=VALUE", help="printed numbers, such as hr@10=.684")
    about = "name and printed numbers of one system, such as A hr@10=.684 ndcg@10=.41; repeat it for each system"
    command.add_argument("--system", nargs="+", action="append", metavar="NAME", help=about)
    add_metrics(command)
    command.add_argument(
        "--confidence", type=float, default=0.95, help="confidence that all bounds hold together (%(default)s)"
    )
    command.add_argument(
        "--assume", choices=("monotone", "smooth"), help="assumption about the distribution of exact ranks"
    )
    command.add_argument("--replace", action="store_true", help="negatives were drawn with replacement")
    command.add_argument(
        "--popularity",
        metavar="FILE",
        help="file of interaction counts of all items, if negatives were drawn by popularity",
    )
    command.add_argument("--power", type=float, default=1.0, help="exponent of popularity (%(default)s)")
    about = "test rows; the first file then has candidate lists: user, item, and rank or score"
    command.add_argument("--test", metavar="FILE", help=about)
    add_files(command)


def numbers(text: str) -> int | list[int]:
    """Return a number, or several with commas between them."""
    return [int(part) for part in text.split(",")] if "," in text else int(text)


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield the bounds, one line per metric, and what they rest on."""
    from truerank.api.bounds import bounds

    given = given_by(choices)
    names = ("items", "negatives", "users", "metrics", "confidence", "assume", "replace", "test", "popularity", "power")
    found = bounds(given, **{name: getattr(choices, name) for name in names})
    save(found, choices)
    yield str(found)


def given_by(choices: argparse.Namespace) -> str | dict[str, str] | dict[str, dict[str, str]]:
    """Return the file, the figures or the figures by system, of which one must be given."""
    ways = [choices.ranks, choices.given, choices.system]
    if sum(way is not None for way in ways) != 1:
        raise UserError("give one of: a file of ranks, --given with printed figures, or --system once for each system")
    if choices.ranks is not None:
        return str(choices.ranks)
    if choices.given is not None:
        return figures_of(choices.given)
    systems = {name: figures_of(texts) for name, *texts in choices.system}
    if len(systems) < len(choices.system) or len(systems) < 2:
        raise UserError("--system expects two systems or more, each with a name of its own; give one for each")
    return systems


def figures_of(texts: list[str]) -> dict[str, str]:
    figures: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.rpartition("=")
        if not equals or not name or name in figures:
            raise UserError(f"the figure {text!r} cannot be read, expected one such as hr@10=.684; correct it")
        figures[name] = value
    return figures
