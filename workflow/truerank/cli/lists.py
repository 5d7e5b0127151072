"""What the commands that take lists have in common: their words, and where they write."""

import argparse
import os
from typing import TYPE_CHECKING, Any

from truerank.cli.checks import check_between
from truerank.errors import UserError

if TYPE_CHECKING:
    from truerank.api.results import Result

FILES = "CSV, TSV, Parquet, JSON, JSONL or TREC, plain or .gz"


def add_judging(command: argparse.ArgumentParser) -> None:
    """Add what ``truerank.api.judging.Judge`` takes besides test and metrics."""
    command.add_argument("--train", metavar="FILE", help="training rows; a user's training items are not candidates")
    about = "number of items in the catalogue, or a file with one id per line"
    command.add_argument("--items", metavar="N|FILE", help=about)
    about = "column names, such as user=customer_id,item=sku,rank=position; without a header, column numbers from 0"
    command.add_argument("--columns", metavar="ROLE=NAME,..", help=about)
    about = "lowest relevant rating (4 on a scale from 1 to 5; without ratings every test row is relevant)"
    command.add_argument("--relevant-from", type=float, metavar="RATING", help=about)
    about = "users without a relevant item count as 0 (zero, the default) or are left out (drop)"
    command.add_argument("--undefined-users", choices=["zero", "drop"], default="zero", help=about)
    about = "a recommended item that is not in the catalogue: keep its position as a miss (default), or stop (error)"
    command.add_argument("--unknown", choices=["miss", "error"], default="miss", help=about)
    add_ties(command)


def add_ties(command: argparse.ArgumentParser) -> None:
    about = "order of equal scores: random (default), test items first (optimistic) or last (pessimistic)"
    command.add_argument("--ties", choices=["random", "optimistic", "pessimistic"], default="random", help=about)


def add_outputs(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", metavar="FILE", help="write all tables to this file, in full precision")
    command.add_argument("--html", metavar="FILE", help="write the result to this file, as an HTML page")


def judging(choices: argparse.Namespace) -> dict[str, Any]:
    """Return what was chosen, as the functions of Python take it."""
    check_between("confidence", choices.confidence, 0, 1)
    same = ("train", "relevant_from", "undefined_users", "unknown", "ties", "confidence", "seed")
    chosen = {name: getattr(choices, name) for name in same}
    return {**chosen, "items": as_items(choices.items), "columns": as_columns(choices.columns)}


def as_items(text: str | None) -> int | str | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 16 else text


def as_columns(text: str | None) -> dict[str, str | int] | None:
    """Return names of columns by role."""
    if text is None:
        return None
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(role and name for role, _, name in pairs):
        form = "ROLE=NAME,.., such as user=customer_id,item=sku"
        raise UserError(f"--columns is {text!r}, expected {form}; correct it")
    return {role.strip(): int(name) if name.isascii() and name.isdigit() else name for role, _, name in pairs}


def check_outputs(choices: argparse.Namespace, *names: str) -> None:
    """Refuse before the work what no file can take the place of, and folders that are not there."""
    for name in names or ("json", "html"):
        path = getattr(choices, name)
        if path is None:
            continue
        folder = os.path.dirname(path) or "."
        if os.path.lexists(path) and not os.path.isfile(path):
            raise UserError(f"{path} cannot be written: it is not a file; give the path of a file after --{name}")
        if not os.path.isdir(folder):
            raise UserError(f"{path} cannot be written: {folder} is not a folder; create it, or give another file")
        if not os.access(folder, os.W_OK):
            raise UserError(f"{path} cannot be written: permission denied in {folder}; give another file")


def write_outputs(choices: argparse.Namespace, result: "Result") -> None:
    if choices.json is not None:
        result.to_json(choices.json)
    if choices.html is not None:
        result.to_html(choices.html)
