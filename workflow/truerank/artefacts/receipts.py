"""The checksums of what a job wrote, by which a later one notices damage.

Snakemake records a failed job's parameters beside outputs that it restored, and would take them for up to date. Hence
receipts: every rule also writes ``results/receipts/{rule}/..json``, the checksums of its outputs, which is removed
when the job starts, written last, and an input of every rule that reads those outputs. A job that failed has no
receipt, so it runs again, while the earlier outputs stay as they were. A stage checks its inputs against their
receipts, so a damaged or edited artefact is noticed before it becomes a wrong number.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from truerank.artefacts.files import read_json, write_json
from truerank.errors import UserError
from truerank.provenance import sha256


def check_receipts(inputs: Collection[str]) -> None:
    """Compare every input that a receipt among the inputs speaks of with the checksum written there."""
    checksums: dict[str, str] = {}
    for path in inputs:
        if "/receipts/" in path:
            checksums |= read_json(path)
    for path in inputs:
        if place_of(path) in checksums and sha256(path) != checksums[place_of(path)]:
            raise UserError(
                f"{path} was changed after it was made (its SHA-256 is not the one in its receipt); "
                "delete it and run the same command again"
            )


def write_receipt(outputs: Any) -> None:
    """Write the checksums of all outputs into the one that is the receipt.

    A training curve has none: the seconds in it are never the same, and a receipt is the same in every run.
    """
    checked = [path for path in outputs if path not in (outputs.receipt, getattr(outputs, "training", None))]
    checksums = {place_of(path): sha256(path) for path in checked if Path(path).is_file()}
    write_json(outputs.receipt, checksums)


def place_of(path: str) -> str:
    """Return the path within the results: where a job finds them may differ from job to job."""
    _, results, rest = path.rpartition("results/")
    return results + rest
