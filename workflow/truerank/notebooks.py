"""The notebooks that pages come from, opened in Jupyter on the results of a study: ``python -m truerank.notebooks``."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from truerank.errors import UserError
from truerank.provenance import PathLike, whole
from truerank.workflow_files import NOTEBOOKS

if TYPE_CHECKING:
    from nbformat import NotebookNode

INJECTED = "injected-parameters"  # papermill's tag for the values that a run gave
PARAMETERS = "parameters"


def main() -> None:
    """Write the notebooks and become Jupyter."""
    parser = argparse.ArgumentParser(prog="python -m truerank.notebooks", description=__doc__)
    parser.add_argument("results", nargs="?", default="results", help="folder of results (%(default)s)")
    try:
        folder = write_notebooks(parser.parse_args().results)
    except UserError as mistake:
        sys.exit(f"truerank: {mistake}")
    os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", str(folder)])


def write_notebooks(results: PathLike = "results") -> Path:
    """Write one notebook per page of the study to ``results/notebooks`` and return that folder.

    Each has the parameters that the page was rendered with. One that is there already keeps all cells but that of the
    parameters, so what somebody changed in it stays.
    """
    import nbformat

    results = Path(results).absolute()
    executed = sorted((results / "logs").glob("render_*/*.ipynb")) + sorted((results / "logs").glob("render_*.ipynb"))
    if not executed:
        raise UserError(f"{results} has no page of a study; run one first: truerank run, or make report")
    for path in executed:
        rule = path.stem if path.parent.name == "logs" else path.parent.name
        page = rule.removeprefix("render_")
        name = page if path.stem == rule else f"{page}-{path.stem}"
        target = results / "notebooks" / f"{name}.ipynb"
        given = tagged(nbformat.read(path, as_version=4), INJECTED, path).source.partition("\n")[2]  # "# Parameters"
        notebook = nbformat.read(target if target.exists() else NOTEBOOKS / f"{page}.ipynb", as_version=4)
        tagged(notebook, PARAMETERS, target).source = f"{given.strip()}\nresults = {str(results)!r}"
        with whole(target) as temporary, open(temporary, "w", encoding="utf-8") as file:
            nbformat.write(notebook, file)
    return results / "notebooks"


def tagged(notebook: "NotebookNode", tag: str, path: Path) -> "NotebookNode":
    """Return the cell of a notebook that has a tag."""
    cell = next((cell for cell in notebook.cells if tag in cell.metadata.get("tags", ())), None)
    if cell is None:
        raise UserError(f"{path} has no cell tagged {tag!r}; remove the file and run the study again")
    return cell


if __name__ == "__main__":
    main()
