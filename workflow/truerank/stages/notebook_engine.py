"""Run the cells of a notebook in this process: a kernel of its own takes seconds to start and imports all again."""

import ast
import traceback
from typing import Any

from nbformat.v4 import new_output
from papermill.engines import Engine, papermill_engines

IN_PROCESS = "truerank"


class InProcess(Engine):
    """An engine of papermill for notebooks of Python alone: no magics, no widgets, one value per cell.

    What a cell prints goes where this process prints. The first cell that fails is the last one that runs.
    """

    @classmethod
    def execute_managed_notebook(cls, nb_man: Any, kernel_name: str, **kwargs: Any) -> None:
        names: dict[str, Any] = {"__name__": "__main__"}
        cells = [(place, cell) for place, cell in enumerate(nb_man.nb.cells) if cell.cell_type == "code"]
        for count, (place, cell) in enumerate(cells, 1):
            nb_man.cell_start(cell, place)
            cell.execution_count = count
            try:
                value = run_cell(cell.source, names)
                if value is not None:
                    cell.outputs = [new_output("execute_result", bundle(value), execution_count=count)]
            except (Exception, SystemExit) as failure:
                lines = traceback.format_exc().splitlines()
                told = {"ename": type(failure).__name__, "evalue": str(failure), "traceback": lines}
                cell.outputs = [new_output("error", **told)]
                nb_man.cell_exception(cell, place, exception=failure)
                return
            finally:
                nb_man.cell_complete(cell, place)


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run the statements of a cell and return the value of its last one, None if that is no expression."""
    tree, last = ast.parse(source), None
    if tree.body and isinstance(end := tree.body[-1], ast.Expr):
        tree.body.pop()
        last = ast.Expression(end.value)
    exec(compile(tree, "<cell>", "exec"), names)  # noqa: S102  a notebook is code
    return eval(compile(last, "<cell>", "eval"), names) if last else None  # noqa: S307


def bundle(value: Any) -> dict[str, Any]:
    """Return what a cell shows of a value, by MIME type."""
    if hasattr(value, "_repr_mimebundle_"):
        return value._repr_mimebundle_()
    rich = {"text/html": value._repr_html_()} if hasattr(value, "_repr_html_") else {}
    return {"text/plain": repr(value)} | rich


papermill_engines.register(IN_PROCESS, InProcess)
