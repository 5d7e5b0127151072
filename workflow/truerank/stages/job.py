"""Run one stage as a job of the workflow: log, threads, checked inputs, receipt, and one sentence when it fails."""

import contextlib
import importlib
import logging
import os
import sys
import traceback
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, TextIO

from truerank.artefacts.cost import peak_line
from truerank.blas import single_threaded_blas
from truerank.errors import FULL_OR_CLOSED, MARK, UserError
from truerank.stages.handing_over import hand_over


def run(snakemake: Any) -> None:
    """Run the stage of a rule; ``snakemake`` is the object that Snakemake gives to a script.

    A stage is a function of what it reads, its settings, and what it writes, each with one attribute per name. The
    settings are the rule's parameters, with ``names`` (the wildcards), ``threads`` and ``log``.
    A job that hands its script over ends as that did.
    """
    status = hand_over()
    if status is not None:
        sys.exit(status)
    try:
        with logged(snakemake):
            stage = snakemake.params.stage
            function = getattr(importlib.import_module(f"truerank.stages.{stage}"), stage)
            own = {"names": tuple(snakemake.wildcards), "threads": snakemake.threads, "log": snakemake.log}
            function(snakemake.input, SimpleNamespace(**dict(snakemake.params.items()), **own), snakemake.output)
    except OSError as failure:  # of the log itself
        if failure.errno not in FULL_OR_CLOSED:
            raise
        sys.exit(f"truerank: {unusable(failure, snakemake.log[0])}")


@contextlib.contextmanager
def logged(snakemake: Any) -> Iterator[None]:
    """Write what a stage prints to its log, and one sentence if it fails."""
    from truerank.artefacts.receipts import check_receipts, write_receipt  # here, since a handed over job needs neither

    with (
        open(snakemake.log[0], "w", encoding="utf-8", errors="backslashreplace", buffering=1) as log,
        single_threaded_blas(),
    ):
        logging.basicConfig(stream=log, level=logging.INFO, format="%(asctime)s %(message)s", force=True)
        with output_to(log), contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
            try:
                check_receipts(snakemake.input)
                yield
                write_receipt(snakemake.output)
                logging.info(peak_line())
                return
            except UserError as mistake:
                sentence = str(mistake)
            except MemoryError:
                sentence = f"rule {snakemake.rule} ran out of memory; give it more, or select less in the config"
            except OSError as failure:
                if failure.errno not in FULL_OR_CLOSED:
                    traceback.print_exc()
                    raise
                sentence = unusable(failure, "the results folder")
            except ModuleNotFoundError as failure:
                traceback.print_exc()
                if failure.name is None or failure.name.partition(".")[0] == "truerank":
                    raise
                sentence = (
                    f"rule {snakemake.rule} needs the package {failure.name!r}, which is not installed here; install "
                    "all that studies may need: pip install 'truerank[all]'"
                )
            except Exception:
                traceback.print_exc()
                raise
            print(MARK + sentence, file=log)
    sys.exit(1)


def unusable(failure: OSError, place: str) -> str:
    """Say that a file, or the place where it may be, cannot be used."""
    return (
        f"{failure.filename or place} cannot be read or written: {str(failure.strerror).lower()}; "
        "free some space or correct the permissions and run the same command again"
    )


@contextlib.contextmanager
def output_to(log: TextIO) -> Iterator[None]:
    """Send what compiled code and child processes print to the log too."""
    saved = {number: os.dup(number) for number in (1, 2)}
    try:
        for number in saved:
            os.dup2(log.fileno(), number)
        yield
    finally:
        for number, kept in saved.items():
            os.dup2(kept, number)
            os.close(kept)
