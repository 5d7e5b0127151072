"""How the loss of each model fell while it was trained."""

from collections.abc import Mapping

import pandas as pd

from truerank.artefacts.files import read_table
from truerank.report.block import Block, Blocks, Prose
from truerank.report.figure import Figure
from truerank.report.parts import each_part, table_name
from truerank.report.short_names import short_names
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table
from truerank.report.theme import STYLES, line_style, panel

NO_CURVE = "This does not apply: no model of this part is trained step by step."


def training_curves(study: OpenStudy) -> Block:
    """The loss at every step, a panel per model since losses of different models are not comparable, and a table."""

    def of_part(part: Part) -> Block:
        curves = {model: curve for model in part.models if len(curve := read_curve(part, model))}
        if not curves:
            return Prose(NO_CURVE)
        return Blocks(loss_figure(part, curves), loss_table(part, curves))

    return each_part(study, of_part)


def read_curve(part: Part, model: str) -> pd.DataFrame:
    """Step, loss and seconds since the start of one model; no rows where its training has no steps."""
    path = part.study.results / "models" / part.study.dataset / part.split / model / "training.parquet"
    return read_table(path) if path.exists() else pd.DataFrame(columns=["step", "loss", "seconds"])


def loss_figure(part: Part, curves: Mapping[str, pd.DataFrame]) -> Figure:
    panels, names = {}, short_names(curves)
    for model, curve in list(curves.items())[: len(STYLES)]:
        with panel(names[model], "step", "training loss") as axes:
            axes.plot(curve["step"], curve["loss"], **line_style(STYLES[0], len(curve)))
        panels[f"Line: training loss of {model} at each step"] = axes
    left_out = len(curves) - len(panels)
    more = f" The table has {left_out} more models." if left_out else ""
    caption = f"If a curve still falls at its end, more steps would change the model.{more}"
    return Figure(table_name(part, "training"), panels, caption)


def loss_table(part: Part, curves: Mapping[str, pd.DataFrame]) -> Table:
    rows = [
        (model, len(curve), curve["loss"].iloc[0], curve["loss"].iloc[-1], curve["seconds"].iloc[-1])
        for model, curve in curves.items()
    ]
    names = {"model": "model", "steps": "steps", "first": "first loss", "last": "last loss", "seconds": "time (s)"}
    frame = pd.DataFrame(rows, columns=list(names))
    digits = {"first": 4, "last": 4, "seconds": 1}
    columns = [Column(key, label, digits.get(key)) for key, label in names.items()]
    return Table(table_name(part, "training"), frame, "Training step by step", columns)
