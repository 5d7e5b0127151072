"""How far predicted ratings sell items above or below what their users think (Aftab & Ramampiaro 2022, Table 2)."""

import numpy as np
import pandas as pd

from truerank.core.migration import AUTO
from truerank.metrics._core.moments import Moments
from truerank.metrics.migration import spread_of
from truerank.report.block import Block, Blocks, Prose
from truerank.report.figure import Figure
from truerank.report.levels import LEVELS
from truerank.report.predictions import on_predictions
from truerank.report.ranked_error import RANKED_ERROR
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table
from truerank.report.theme import STYLES, panel

DIGITS = 3
SHARES = {
    "down_sold": ("down-sold (left)", STYLES[4]),
    "accurate": ("perfect (middle)", STYLES[5]),
    "up_sold": ("up-sold (right)", STYLES[6]),
}
ROOM, ON_BAR = 6, "#101418"


def migration(study: OpenStudy) -> Block:
    """Shares of up-sold, down-sold and perfectly sold items, per model and level of relevance."""
    part = next((part for part in study.parts if part.name == "ranking"), None)
    if part is None:
        return Prose("This does not apply: the study has no ranking part.")
    table = part.meta("migration")
    if table.empty:
        return Prose("This does not apply: no model of this study predicts ratings.")
    settings = study.config["migration"]
    frame = table.assign(moved=table["up_sold"] + table["down_sold"])
    columns = [Column("model"), Column("level", "rated")]
    labels = {"up_sold": "up-sold", "down_sold": "down-sold", "moved": "either", "accurate": "perfect"}
    columns += [Column(key, label, DIGITS) for key, label in labels.items()]
    caption = (
        f"Migration among each user’s {settings['top']} test items with the highest predictions, averaged over users; "
        f"within {margin_in_words(part, settings['margin'])} of the rating is perfect"
    )
    table = Table("migration", frame[[column.key for column in columns]], caption, columns)
    told = any(part.kind(metric) in RANKED_ERROR for metric in part.metrics)  # beside SDCSE
    return Blocks(migration_figure(table.frame), table, *map(Prose, () if told else on_predictions(part)))


def margin_in_words(part: Part, margin: float | str) -> str:
    """Return the margin as a number; one from the predictions is computed from them again."""
    if margin != AUTO:
        return f"{margin:g}"
    predictions = (part.predictions(model) for model in part.models)
    found = spread_of(Moments.of(own[~np.isnan(own)].astype(float)) for own in predictions)
    return f"{found:.3f} (the spread of the predictions of all models)"


def migration_figure(frame: pd.DataFrame) -> Figure:
    """Stacked shares per model, one panel per level; their place and the numbers tell them apart without colour."""
    panels = {}
    for level, rows in frame.groupby("level", sort=False):
        height = 0.9 + 0.24 * len(rows)
        with panel(LEVELS.get(level, level), "share of items (%)", height=height) as axes:
            start = np.zeros(len(rows))
            for key, (_, look) in SHARES.items():
                shares = 100 * rows[key].to_numpy()
                bars = axes.barh(range(len(rows)), shares, 0.75, start, color=look.colour, linewidth=0)
                numbers = [f"{share:.0f}" if share >= ROOM else "" for share in shares]
                axes.bar_label(bars, numbers, label_type="center", fontsize=7, color=ON_BAR)
                start += shares
            axes.set_yticks(range(len(rows)), rows["model"])
            axes.set_ylim(len(rows) - 0.4, -0.6)
            axes.set_xlim(0, 100)
            axes.grid(axis="y", visible=False)
        panels[f"Stacked bars: shares of down-sold, perfect and up-sold items per model, rated {level}"] = axes
    legend = {label: look._replace(glyph="■") for label, look in SHARES.values()}
    return Figure("migration", panels, "The longer the middle bar, the more predictions match the ratings.", legend)
