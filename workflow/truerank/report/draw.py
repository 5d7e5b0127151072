"""Draw the sections of a page side by side, before its notebook shows them: ``python -m truerank.report.draw``."""

import json
import multiprocessing
import sys
from typing import Any

from truerank import report
from truerank.blas import single_threaded_blas
from truerank.errors import UserError
from truerank.report.study import OpenStudy, open_study
from truerank.report.theme import theme

Bundle = dict[str, Any]  # what a cell shows, by MIME type
KEPT: dict[str, OpenStudy] = {}  # the study of a process


def main() -> None:
    """Read what to draw from standard input, as JSON; write section -> what it shows to standard output."""
    try:
        sys.stdout.write(json.dumps(drawn(**json.load(sys.stdin))))
    except UserError as mistake:
        sys.exit(f"truerank: {mistake}")


def drawn(results: str, dataset: str, config: dict[str, Any], workers: int = 1) -> dict[str, Bundle]:
    """Return what every section of a dataset's page shows; it is the same for any number of processes."""
    KEPT["study"] = open_study(results, dataset, config, {})
    with single_threaded_blas(), theme():  # once, and not in every process
        if workers == 1:
            return {name: show(name) for name in report.SECTIONS}
        with multiprocessing.get_context("fork").Pool(workers) as pool:
            return dict(zip(report.SECTIONS, pool.map(show, report.SECTIONS, chunksize=1), strict=True))


def show(section: str) -> Bundle:
    return getattr(report, section)(KEPT["study"])._repr_mimebundle_()


if __name__ == "__main__":
    main()
