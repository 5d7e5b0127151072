"""Render the page that leads to the reports of all datasets."""

from truerank.stages.render_notebook import render_notebook


def render_index(notebook, results, config, provenance, html, executed):
    """Write the index of all datasets that ``config`` selects, from the artefacts under ``results``."""
    parameters = {"results": str(results), "config": config, "provenance": provenance}
    render_notebook(notebook, parameters, "Truerank", html, executed)
