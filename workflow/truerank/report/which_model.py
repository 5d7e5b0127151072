"""Which model: the leaderboard by the metric that speaks for all, with intervals and groups."""

import pandas as pd

from truerank.report.figure import Figure
from truerank.report.grouped import letters
from truerank.report.metric_names import written
from truerank.report.short_names import short_names
from truerank.report.standings import INTERVAL
from truerank.report.study import Part
from truerank.report.theme import CARD, GREY, STYLES, panel

MOST = 30
LEADING = 3  # models in colour
SMALL = 14  # models from which on letters are smaller


def model_figure(part: Part) -> Figure | None:
    """A bar per model, best on top, the leading ones in colour; None where no model has a value."""
    metric, k = part.headlines[0]
    rows = part.standings(metric, k).dropna(subset="value")
    if rows.empty:
        return None
    shown, groups = rows.head(MOST), letters(part, metric, k)
    size = 8.5 if len(shown) <= SMALL else 7.5
    height = CARD[1] if len(shown) > 4 else max(1.5, 0.5 + 0.7 * len(shown))
    with panel("", f"{written(metric, k)}, mean over users", height=height, width=CARD[0]) as axes:
        for place, row in enumerate(shown.itertuples()):
            colour = STYLES[place].colour if place < LEADING else GREY
            if not pd.isna(row.ci_low):
                axes.plot([row.ci_low, row.ci_high], [place, place], color=colour, linewidth=2.4)
            axes.plot(row.value, place, "o", color=colour, markersize=6 if len(shown) <= SMALL else 4)
            beside = axes.get_yaxis_transform()
            group = f"  {groups[row.model]}" if row.model in groups else ""
            axes.text(1.02, place, f"{row.value:.3f}{group}", transform=beside, va="center", fontsize=size)
        axes.set_yticks(range(len(shown)), list(short_names(shown["model"]).values()), fontsize=size)
        axes.set_ylim(len(shown) - 0.4, -0.6)
        axes.grid(axis="y", visible=False)
        axes.locator_params(axis="x", nbins=5)
    first = rows.iloc[0]
    said = f"Points with bars: {metric}@{k} of {len(shown)} models, {first['model']} first with {first['value']:.4f}"
    return Figure("which_model", {said: axes}, caption(len(rows), bool(groups), part.higher_is_better(metric)))


def caption(n_models: int, grouped: bool, higher: bool) -> str:
    more = f" The first {MOST} of {n_models} models." if n_models > MOST else ""
    share = " Models that share a letter do not differ significantly." if grouped else ""
    less = "" if higher else " Less is better."
    return f"Mean and {INTERVAL} over users.{less}{share}{more}"
