"""How much an experiment needs: a command for each kind of plan."""

from importlib import import_module

from truerank.cli.parser import Command

ABOUT = "compute how many users, negatives or scores a given precision needs"
# Modules of truerank.cli.planning; the first is the one of a plan without a kind.
KINDS = ("users", "negatives", "scores")


def add_arguments(command: Command) -> None:
    command.usual = KINDS[0]
    kinds = command.add_subparsers(metavar="kind", required=True, parser_class=Command)
    for name in KINDS:
        module = import_module(f"truerank.cli.planning.{name}")
        made = kinds.add_parser(name, help=module.ABOUT, description=module.ABOUT)
        module.add_arguments(made)
        made.set_defaults(run=module.run)
