"""Run a notebook and turn it into one self-contained page."""

import ast
import base64
import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import truerank.json_schema  # noqa: F401  before nbformat imports it, with all that it looks for
from truerank.artefacts.pages import FILES, TEMPLATES
from truerank.errors import UserError
from truerank.provenance import PathLike, whole
from truerank.registry import unknown

if TYPE_CHECKING:
    from nbformat import NotebookNode

READING = "How to read it"  # opens the last paragraph of every section
PYTHON = {"kernel_name": "python3", "language": "python"}
SAVED_ONCE = {"progress_bar": False, "request_save_on_cell_execute": False}  # saving at each cell takes most time


def render_notebook(
    notebook: PathLike,
    parameters: Mapping[str, Any],
    title: str,
    html: PathLike,
    executed: PathLike,
    tables: PathLike | None = None,
    figures: PathLike | None = None,
) -> None:
    """Execute ``notebook`` with ``parameters`` and write the page, its tables as CSV and LaTeX, its figures as SVG.

    html : the page; it appears whole, after every cell has run, or not at all.
    executed : where the executed notebook goes, with its traceback if it failed.
    tables, figures : the folders for the files that cells offer; what an earlier run left there goes.
    """
    content = execute(notebook, parameters, executed)
    page = to_html(content, title)
    files = offered_files(content)
    drawn = {name: text for name, text in files.items() if name.endswith(".svg")}
    for folder, offered in ((figures, drawn), (tables, {k: v for k, v in files.items() if k not in drawn})):
        if folder:
            write_files(offered, Path(folder))
    with whole(html) as temporary:
        temporary.write_text(page, encoding="utf-8")


def execute(notebook: PathLike, parameters: Mapping[str, Any], executed: PathLike) -> "NotebookNode":
    """Return the executed notebook; a user's mistake that a cell meets stays a user's mistake."""
    import papermill

    from truerank.stages.notebook_engine import IN_PROCESS

    for name in parameters:
        if name not in (known := parameter_names(notebook)):
            raise UserError(f"{notebook}: {unknown('parameter', name, known)}")
    Path(executed).parent.mkdir(parents=True, exist_ok=True)
    try:
        return papermill.execute_notebook(
            notebook, executed, parameters, engine_name=IN_PROCESS, **PYTHON, **SAVED_ONCE
        )
    except papermill.PapermillExecutionError as failure:
        if failure.ename == UserError.__name__:
            raise UserError(failure.evalue) from failure
        raise


def parameter_names(notebook: PathLike) -> list[str]:
    """Return the names that the cell tagged ``parameters`` gives values to."""
    import nbformat

    for cell in nbformat.read(notebook, as_version=4).cells:
        if "parameters" in cell.metadata.get("tags", ()):
            body = ast.parse(cell.source).body
            targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
            return [target.id for target in targets if isinstance(target, ast.Name)]
    raise UserError(f"{notebook} has no cell tagged 'parameters'; tag the cell that holds the defaults")


def to_html(content: "NotebookNode", title: str) -> str:
    """Return the page: our template with its style and script inside, the code cells left out."""
    import mistune
    from nbconvert.exporters import TemplateExporter

    class Renderer(mistune.HTMLRenderer):
        def heading(self, text: str, level: int, **attrs: Any) -> str:
            """Return a heading that the table of contents can point to."""
            return f'<h{level} id="{text.replace(" ", "-")}">{text}</h{level}>'

        def block_quote(self, text: str) -> str:
            """Return how to read a section: it opens on demand."""
            heading, words = READING, text.replace(f"{READING}: ", "", 1)
            return f'<details class="reading"><summary>{heading}</summary>{words}</details>'

    exporter = TemplateExporter(
        template_paths=[str(TEMPLATES)],
        template_file="page.html.j2",
        filters={"prose": mistune.Markdown(Renderer(escape=False)), "csp_hash": csp_hash},
    )
    return exporter.from_notebook_node(content, resources={"metadata": {"name": title}})[0]


def csp_hash(script: str) -> str:
    """Return the expression by which a content security policy lets this script run and no other."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def offered_files(content: "NotebookNode") -> dict[str, str]:
    """Return all files that the cells' outputs offer; two under one name is a defect."""
    files: dict[str, str] = {}
    for cell in content.cells:
        for output in cell.get("outputs", ()):
            for name, text in output.get("data", {}).get(FILES, {}).items():
                if name in files:
                    raise ValueError(f"two cells offer a file called {name}")
                files[name] = text
    return files


def write_files(files: Mapping[str, str], folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in files.items():
        with whole(folder / name) as temporary:
            temporary.write_text(text, encoding="utf-8")
