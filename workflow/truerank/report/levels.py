"""Metrics as what counts as relevant narrows to the highest ratings (Aftab & Ramampiaro 2022, Fig. 4)."""

from collections.abc import Mapping

import pandas as pd

from truerank.report.block import Block, Blocks, Folded, Prose
from truerank.report.figure import Figure
from truerank.report.metric_names import written
from truerank.report.standings import DIGITS
from truerank.report.study import Headline, OpenStudy, Part
from truerank.report.table import Column, Table
from truerank.report.theme import line_style, panel

TITLE = "Metrics at levels of relevance"
LEVELS = {"low_high": "all ratings", "medium_high": "medium and high", "high": "high"}


def relevance_levels(study: OpenStudy) -> Block:
    """What ``metrics_at_levels`` shows, which opens on demand."""
    shown = metrics_at_levels(study)
    return Folded(TITLE, *shown.blocks) if isinstance(shown, Blocks) else shown


def metrics_at_levels(study: OpenStudy) -> Block:
    """Each kind of metric that the study has at more than one level: lines per model over the levels, and a table."""
    part = next((part for part in study.parts if part.name == "ranking"), None)
    if part is None:
        return Prose("Nor do levels of relevance.")
    kinds = {kind: levels for kind, levels in at_levels(part).items() if len(levels) > 1}
    if not kinds:
        return Prose(
            "Levels of relevance do not apply: the study has no metric at two of the levels "
            "low_high, medium_high and high, or no model that predicts ratings."
        )
    rows = {kind: level_values(part, levels) for kind, levels in kinds.items()}
    cutoffs = {kind: k for kind, levels in kinds.items() for _, k in levels.values()}
    return Blocks(level_figure(part, rows, cutoffs), level_table(rows))


def at_levels(part: Part) -> dict[str, dict[str, Headline]]:
    """Kind of metric -> level -> the metric and cut-off that stand for it."""
    found: dict[str, dict[str, Headline]] = {}
    for metric, k in part.headlines:
        level = part.definition(metric).get("relevance", {}).get("threshold")
        if level in LEVELS:
            found.setdefault(part.kind(metric), {}).setdefault(level, (metric, k))
    return found


def level_values(part: Part, levels: Mapping[str, Headline]) -> pd.DataFrame:
    """Models x levels, the widest level first."""
    shown = [level for level in LEVELS if level in levels]
    values = {level: part.standings(*levels[level]).set_index("model")["value"] for level in shown}
    return pd.DataFrame(values).reindex([model for model in part.models if model in next(iter(values.values()))])


def level_figure(part: Part, rows: Mapping[str, pd.DataFrame], cutoffs: Mapping[str, str]) -> Figure:
    panels = {}
    for kind, values in rows.items():
        with panel(written(kind, cutoffs[kind]), "ratings that count as relevant", "mean over users") as axes:
            for model in reversed(values.index):
                axes.plot(range(values.shape[1]), values.loc[model], label=model, **line_style(part.styles[model], 1))
            axes.set_xticks(range(values.shape[1]), [LEVELS[level] for level in values])
            axes.margins(x=0.1)
        panels[f"Lines: {kind} at each level of relevance, one line per model"] = axes
    looks = {model: part.styles[model] for model in dict.fromkeys(m for values in rows.values() for m in values.index)}
    caption = "Lines that cross are models whose order depends on what counts as relevant."
    return Figure("levels", panels, caption, looks, lines=True)


def level_table(rows: Mapping[str, pd.DataFrame]) -> Table:
    frame = pd.concat([values.rename_axis("model").reset_index().assign(metric=kind) for kind, values in rows.items()])
    levels = [level for level in LEVELS if level in frame]
    frame = frame[["metric", "model", *levels]]
    columns = [Column("metric"), Column("model"), *(Column(level, LEVELS[level], DIGITS) for level in levels)]
    return Table("levels", frame, TITLE, columns)
