"""Render the page that sets a paper against ours."""

from pathlib import Path

from truerank.stages import Files, Settings
from truerank.stages.render_notebook import render_notebook
from truerank.stages.software import software


def render_paper(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the page of the paper whose figures the file ``published`` holds, and its tables.

    settings : the effective ``config``, as a dict of JSON values.
    """
    results = str(Path(outputs.paper_page).parents[2])
    parameters = {"results": results, "published": inputs.published, "config": settings.config}
    parameters |= {"provenance": software(inputs.notebook)}
    title, tables = f"{settings.names[0]} · Truerank", Path(outputs.paper_page).with_suffix("")
    render_notebook(inputs.notebook, parameters, title, outputs.paper_page, settings.log.notebook, tables)
