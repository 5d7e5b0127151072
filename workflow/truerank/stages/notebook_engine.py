"""Run the cells of a notebook in this process: a kernel of its own takes seconds to start and imports all again."""

import ast
import sys
import traceback
from code import InteractiveInterpreter
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
        cells = Cells({"__name__": "__main__"})
        code = [(place, cell) for place, cell in enumerate(nb_man.nb.cells) if cell.cell_type == "code"]
        for count, (place, cell) in enumerate(code, 1):
            nb_man.cell_start(cell, place)
            cell.execution_count = count
            try:
                value = cells.value_of(cell.source)
                if value is not None:
                    cell.outputs = [new_output("execute_result", bundle(value), execution_count=count)]
            except Exception as failure:
                lines = traceback.format_exc().splitlines()
                sentence = {"ename": type(failure).__name__, "evalue": str(failure), "traceback": lines}
                cell.outputs = [new_output("error", **sentence)]
                nb_man.cell_exception(cell, place, exception=failure)
                return
            finally:
                nb_man.cell_complete(cell, place)


class Cells(InteractiveInterpreter):
    """Statements run as at Python's prompt, which tells the value of each; one that fails raises."""

    failure: BaseException | None = None

    def value_of(self, source: str) -> Any:
        """Run the statements of a cell; return the value of the last one, None if it has none."""
        values: list[Any] = []
        sentence, sys.displayhook = sys.displayhook, values.append
        try:
            for statement in ast.parse(source).body:
                values.clear()
                self.runsource(f"{ast.unparse(statement)}\n", "<cell>")
                if self.failure:
                    raise self.failure
        finally:
            sys.displayhook = sentence
        return values[-1] if values else None

    def showtraceback(self) -> None:
        """Keep what was raised, where the prompt would print it."""
        self.failure = sys.exc_info()[1]


def bundle(value: Any) -> dict[str, Any]:
    """Return what a cell shows of a value, by MIME type."""
    if hasattr(value, "_repr_mimebundle_"):
        return value._repr_mimebundle_()
    rich = {"text/html": value._repr_html_()} if hasattr(value, "_repr_html_") else {}
    return {"text/plain": repr(value)} | rich


papermill_engines.register(IN_PROCESS, InProcess)
