"""Render the report of one dataset."""

from pathlib import Path

from truerank.stages import Files, Settings
from truerank.stages.render_notebook import render_notebook
from truerank.stages.software import software


def render_report(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the page of a dataset, its tables and its figures; sections that were drawn before are shown.

    settings : the effective ``config``, of JSON values.
    """
    (dataset,) = settings.names
    report = Path(outputs.page).parent
    parameters = {"results": str(report.parent), "dataset": dataset, "config": settings.config}
    parameters |= {"provenance": software(inputs.notebook), "drawn": str(inputs.drawn)}
    folders = [report / kind / dataset for kind in ("tables", "figures")]
    render_notebook(inputs.notebook, parameters, f"{dataset} · Truerank", outputs.page, settings.log.notebook, *folders)
