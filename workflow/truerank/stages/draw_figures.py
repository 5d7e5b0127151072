"""Draw the sections of a dataset's page, figures and tables, before its notebook shows them."""

import json
import subprocess
import sys
from pathlib import Path

from truerank.artefacts.files import write_json
from truerank.errors import UserError
from truerank.stages import Files, Settings


def draw_figures(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write what each section of the page shows, by its name; as many processes draw as there are threads.

    settings : the effective ``config``, of JSON values. The drawing is a program of its own, as a notebook is.
    """
    (dataset,) = settings.names
    results = str(Path(outputs.drawn).parents[1])
    wanted = {"results": results, "dataset": dataset, "config": settings.config, "workers": settings.threads}
    command = [sys.executable, "-m", "truerank.report.draw"]
    done = subprocess.run(command, input=json.dumps(wanted), capture_output=True, text=True)
    if done.returncode and done.stderr.startswith("truerank: "):
        raise UserError(done.stderr.removeprefix("truerank: ").strip())
    if done.returncode:
        raise RuntimeError(f"drawing {dataset} failed:\n{done.stderr}")
    write_json(outputs.drawn, json.loads(done.stdout))
