"""The words of the command line: each command adds its own."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from truerank import __version__

# Each is a module of this package with ABOUT, a line of help; ``add_arguments``, which takes the command's parser; and
# ``run``, which takes what was parsed and yields lines, unless the commands under it do. It imports what takes long
# inside functions.
COMMANDS = ("evaluate", "compare", "rank", "trial", "correct", "bounds", "plan", "export", "run", "init", "list")


class Command(argparse.ArgumentParser):
    """The parser of one command. takes_runs : whether it has files as NAME=FILE, which may stand anywhere. usual : of
    a command that has commands itself, the one that is meant where an option comes first."""

    takes_runs = False
    usual: str | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if args and self.takes_runs:
            args = self.runs_first(args)
        elif args and self.usual is not None and is_option(args[0]) and args[0] not in ("-h", "--help"):
            args = [self.usual, *args]
        return super().parse_known_args(args, namespace)

    def runs_first(self, words: Sequence[str]) -> list[str]:
        """Return words with runs in front, which argparse finds nowhere else: a metric has no =, so one is a run."""
        rest = list(words)
        runs: list[str] = []
        others: list[str] = []
        while rest:
            word = rest.pop(0)
            if is_option(word):
                others.append(word)
                action = self._option_string_actions.get(word)
                if action is not None and action.nargs is None and rest:
                    others.append(rest.pop(0))
                while action is not None and action.nargs == "+" and rest and not is_option(rest[0]):
                    value = rest.pop(0)
                    (runs if "=" in value else others).append(value)
            else:
                runs.append(word)
        return runs + others


def is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def parser() -> argparse.ArgumentParser:
    """Return the parser; what it reads has the function ``run``, which takes that result and yields lines."""
    top = argparse.ArgumentParser(
        prog="truerank", description="Evaluate and compare recommenders, correct sampled metrics, run studies."
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = top.add_subparsers(required=True, metavar="command", parser_class=Command)
    for name in COMMANDS:
        module = import_module(f"truerank.cli.{name}")
        made = commands.add_parser(name, help=module.ABOUT, description=module.ABOUT)
        module.add_arguments(made)
        if hasattr(module, "run"):
            made.set_defaults(run=module.run)
    return top


def add_metrics(command: argparse.ArgumentParser, required: bool = True) -> None:
    """Add ``--metrics a b`` and ``--metric a``, each of which may be repeated: ``metrics`` is all of them in order."""
    about = "metrics, such as recall@10 ndcg@10 auc; map and mrr mean ap@all and rr@all"
    command.add_argument("--metrics", "--metric", nargs="+", action="extend", required=required, help=about)


def add_items(command: argparse.ArgumentParser) -> None:
    """Add ``--items``: a number, or a file of ids."""
    about = "number of candidates per user in the full catalogue; with --test also a file of ids"
    command.add_argument("--items", type=number_or_file, required=True, help=about)


def number_or_file(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdigit() else text
