"""A paper's own drawings, made of our figures: which metrics and cut-offs, in which of four forms."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

from truerank.report.agreement import heat_map
from truerank.report.block import Block, Blocks, Prose
from truerank.report.compared import each_about
from truerank.report.figure import Figure
from truerank.report.line_drawings import line_drawing, section
from truerank.report.power import FALLING, Line, looks_of, p_value_panel
from truerank.report.published import Ours, Paper
from truerank.report.robust import bias_panel, mean_taus
from truerank.report.theme import Style

ARTEFACTS = {
    "correlation": "correlation",
    "sparsity": "robustness",
    "popularity": "robustness",
    "p_values": "significance",
}
READING = {
    "correlation": "Kendall’s tau-b between the orders of the models: 1 the same, -1 reversed.",
    "sparsity": "A metric that stays at 1 keeps the order of the models, even with few ratings.",
    "popularity": "A metric that stays at 1 keeps the order of the models without the most popular items.",
    "p_values": FALLING,
}


def paper_drawings(paper: Paper) -> Block:
    """Every drawing of the paper that its file lists, for every dataset of the study that it is about."""

    def show(drawing: Mapping[str, Any], ours: Ours, suffix: str | None) -> Block:
        if "section" in drawing:
            return section(paper, ours, drawing, suffix)
        return line_drawing(drawing, ours, suffix) if "artefact" in drawing else drawn(drawing, ours, suffix)

    return each_about(paper, "drawing", lambda own, ours, suffix: Blocks(*(show(one, ours, suffix) for one in own)))


def drawn(drawing: Mapping[str, Any], ours: Ours, suffix: str | None) -> Block:
    """One drawing, its curves in the order of the paper; what the study lacks is named."""
    lines = [(label, *column.rsplit("@", 1)) for label, column in drawing["curves"].items()]
    there = [line for line in lines if has(ours, drawing["draws"], line)]
    missing = [label for label, *_ in lines if label not in {label for label, *_ in there}]
    absent = Prose(f"{drawing['caption']}: not run here, because the study has no {', '.join(missing)}.")
    if not there:
        return absent
    looks = looks_of(there)
    axes = axes_of(drawing, ours, there, looks)
    name = drawing["name"] + (f"_{suffix}" if suffix else "")
    text = f"{drawing['caption']}: {', '.join(label for label, *_ in there)}"
    legend = None if drawing["draws"] == "correlation" else looks
    figure = Figure(
        name, {text: axes}, f"{drawing['caption']}. {READING[drawing['draws']]}", legend, wide=True, lines=True
    )
    return Blocks(figure, absent) if missing else figure


def has(ours: Ours, draws: str, line: Line) -> bool:
    """Tell whether the study has the metric and cut-off of a line in the artefact that is drawn."""
    table = ours.table(ARTEFACTS[draws])
    key = "a" if draws == "correlation" else "metric@k"
    return table is not None and f"{line[1]}@{line[2]}" in set(table[key])


def axes_of(drawing: Mapping[str, Any], ours: Ours, lines: Sequence[Line], looks: Mapping[str, Style]) -> Axes:
    draws = drawing["draws"]
    table = ours.table(ARTEFACTS[draws])
    assert table is not None  # ``has`` says so
    title = f"{drawing['title']}, {ours.dataset}"
    if draws == "correlation":
        names = {f"{metric}@{k}": label for label, metric, k in lines}
        tau = table.pivot(index="a", columns="b", values="tau").loc[list(names), list(names)]
        return heat_map(title, tau.rename(index=names, columns=names))
    if draws == "p_values":
        return p_value_panel(title, lines, table, looks)
    return bias_panel(title, draws, lines, mean_taus(table), looks)
