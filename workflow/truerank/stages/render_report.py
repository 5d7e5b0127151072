"""Render the report of one dataset."""

from truerank.stages.render_notebook import render_notebook


def render_report(notebook, results, dataset, config, provenance, html, tables, executed, figures=None):
    """Write the page of ``dataset``, its tables and its figures from the artefacts under ``results``.

    config : the effective config, as a dict of JSON values.
    provenance : ``commit`` and ``versions``, a dict from package to version.
    """
    parameters = {"results": str(results), "dataset": dataset, "config": config, "provenance": provenance}
    render_notebook(notebook, parameters, f"{dataset} · Truerank", html, executed, tables, figures)
