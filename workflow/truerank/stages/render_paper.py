"""Render the page that sets a paper against ours."""

from truerank.stages.render_notebook import render_notebook


def render_paper(notebook, results, published, config, provenance, html, tables, executed):
    """Write the page of the paper whose figures the file ``published`` holds, and its tables.

    config : the effective config, as a dict of JSON values.
    provenance : ``commit`` and ``versions``, a dict from package to version.
    """
    parameters = {"results": str(results), "published": str(published), "config": config, "provenance": provenance}
    render_notebook(notebook, parameters, f"{config.get('paper', 'paper')} · Truerank", html, executed, tables)
