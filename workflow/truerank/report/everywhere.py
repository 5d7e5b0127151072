"""Does the finding hold everywhere: ranks of the models on every dataset, and which differ over all of them."""

from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from truerank.meta.over_datasets import ALPHA, critical_difference, friedman, ranks_within
from truerank.report.block import Block, Blocks, Prose, bold
from truerank.report.figure import Figure
from truerank.report.index import Index
from truerank.report.metric_names import written
from truerank.report.short_names import short_names
from truerank.report.theme import GREY, STYLES, WIDE, panel

COLOURS = LinearSegmentedColormap.from_list("places", ["#0173b2", "#dcebf5"])
ON_LIGHT, ON_DARK = "#101418", "#ffffff"
LEAST = 2  # datasets, and models
LETTERS = 40  # of all datasets, for their names to stand side by side


def everywhere(index: Index) -> Block:
    """A heat map of the models' places, models x datasets, and their mean places with the critical difference."""
    if len(index.studies) < LEAST:
        return Prose("This study has one dataset, so there is nothing to compare across datasets.")
    name, values = common_values(index)
    if values.shape[1] < LEAST:
        return Prose("This does not apply: no two models have values on every dataset.")
    ranks = pd.DataFrame(ranks_within(values.to_numpy()), values.index, values.columns)
    ranks = ranks[ranks.mean().sort_values(kind="stable").index]
    difference = critical_difference(*ranks.shape)
    panels = {
        f"Heat map: place of each of {ranks.shape[1]} models on each of {len(ranks)} datasets by {name}": heat_map(
            ranks
        ),
        f"Points: mean place of each model, lines: critical difference of {difference:.2f} places": mean_places(
            ranks, difference
        ),
    }
    caption = (
        f"Left: the place of each model by {name}, 1 the best. Right: its mean place; two models differ over datasets "
        f"where a mean place lies beyond the other’s line (Nemenyi, {ALPHA})."
    )
    figure = Figure("everywhere", panels, caption, wide=True)
    return Blocks(Prose(sentence(ranks, difference, name), kind="answer"), figure)


def common_values(index: Index) -> tuple[str, pd.DataFrame]:
    """The metric, and its values, datasets x models that have one on every dataset; larger is better.

    The metric is that of the first dataset's headline where every dataset has it, or else that of each.
    """
    parts = {study.dataset: study.parts[0] for study in index.studies if study.parts}
    if not parts:
        return "", pd.DataFrame()
    first = next(iter(parts.values())).headlines[0]
    shared = all(first[1] in part.metrics.get(first[0], ()) for part in parts.values())
    rows = {}
    for dataset, part in parts.items():
        metric, k = first if shared else part.headlines[0]
        values = part.standings(metric, k).set_index("model")["value"]
        rows[dataset] = values if part.higher_is_better(metric) else -values
    return written(*first) if shared else "the metric named on it", pd.DataFrame(rows).T.dropna(axis="columns")


def sentence(ranks: pd.DataFrame, difference: float, name: str) -> Markup:
    """Whether the models differ over the datasets, and which cannot be told from the first."""
    _, p_value = friedman(ranks.to_numpy())
    means = ranks.mean()
    best, like = means.index[0], list(means.index[1:][means.iloc[1:] - means.iloc[0] < difference])
    won = int((ranks[best] == ranks.min(axis=1)).sum())
    text = Markup("{} has the best mean place by {}, {:.2f}, and is first on {} of {} datasets.").format(
        bold(best), name, means.iloc[0], won, len(ranks)
    )
    chance = "more than by chance" if p_value < ALPHA else "no more than by chance"
    friedmans = f" Over the datasets the models differ {chance} (Friedman p = {p_value:.2g});"
    others = f" {len(like)} of {len(means) - 1} others do not differ significantly from it (Nemenyi)."
    return text + friedmans + others


def heat_map(ranks: pd.DataFrame) -> Axes:
    places = ranks.T.to_numpy()
    with panel("Place on each dataset", height=height_of(ranks), width=WIDE) as axes:
        axes.pcolormesh(places, cmap=COLOURS, vmin=1, vmax=max(len(places), 2), edgecolors="none")
        for row, values in enumerate(places):
            for column, value in enumerate(values):
                ink = ON_DARK if value < 1 + 0.4 * (len(places) - 1) else ON_LIGHT
                axes.text(column + 0.5, row + 0.5, f"{value:g}", ha="center", va="center", color=ink, fontsize=8)
        datasets = list(short_names(ranks.index).values())
        turned: dict[str, Any] = {"rotation": 20, "ha": "right"} if sum(map(len, datasets)) > LETTERS else {}
        axes.set_xticks(np.arange(len(ranks)) + 0.5, datasets, **turned)
        axes.set_yticks(np.arange(len(places)) + 0.5, list(short_names(ranks.columns).values()))
        axes.invert_yaxis()
        axes.grid(visible=False)
    return axes


def mean_places(ranks: pd.DataFrame, difference: float) -> Axes:
    means = ranks.mean()
    with panel("Mean place", "mean place over the datasets", height=height_of(ranks), width=WIDE) as axes:
        for row, (_, mean) in enumerate(means.items()):
            alike = row > 0 and mean - means.iloc[0] < difference
            colour = STYLES[0].colour if row == 0 or alike else GREY
            axes.plot([mean, mean + difference], [row, row], color=colour, linewidth=1.4)
            axes.plot(mean, row, "o", color=colour, markersize=6)
        axes.set_yticks(range(len(means)), list(short_names(means.index).values()))
        axes.set_ylim(len(means) - 0.4, -0.6)
        axes.set_xlim(0.8, max(len(means), means.iloc[0] + difference) + 0.3)
        axes.grid(axis="y", visible=False)
    return axes


def height_of(ranks: pd.DataFrame) -> float:
    return max(1.7, 1.0 + 0.26 * ranks.shape[1])
