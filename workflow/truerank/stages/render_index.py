"""Render the page that leads to the reports of all datasets."""

from pathlib import Path

from truerank.stages import Files, Settings
from truerank.stages.render_notebook import render_notebook
from truerank.stages.software import software


def render_index(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the index of all datasets that the ``config`` of the settings selects."""
    results = str(Path(outputs.index_page).parents[1])
    parameters = {"results": results, "config": settings.config, "provenance": software(inputs.notebook)}
    render_notebook(inputs.notebook, parameters, "Truerank", outputs.index_page, settings.log.notebook)
