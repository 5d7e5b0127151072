"""Can sampled numbers be believed: the order of the models by all candidates, by a sample, and after correction."""

from itertools import combinations
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from truerank.report.figure import Figure
from truerank.report.labels import spread
from truerank.report.metric_names import written
from truerank.report.sampled import artefact, most_reversed
from truerank.report.short_names import short_names
from truerank.report.study import OpenStudy, Part
from truerank.report.theme import CARD, GREY, STYLES, card_height, panel
from truerank.report.which_model import MOST

UNCORRECTED = "uncorrected"
EXACT = "exact"
LONGEST = 16  # letters of names, for both sides to have them
HEADINGS = 30  # points of a picture that its lines leave to their headings


def order_figure(study: OpenStudy) -> Figure | None:
    """One line per model through its places, those that change places in colour; None where nothing was sampled."""
    part = sampling_part(study)
    orders = None if part is None else sampled_orders(part)
    if part is None or orders is None:
        return None
    exact = orders.columns[0]
    shown = orders.sort_values(exact).head(MOST)
    moved = changed(shown)
    coloured = furthest(shown, moved)
    size = 8.5 if len(shown) <= 14 else 7.5
    height = card_height(len(shown))
    apart = min(1.0, max(0.6, size * len(shown) / (72 * height - HEADINGS)))  # rows between names
    with panel("", height=height, width=CARD[0]) as axes:
        draw_lines(axes, shown, coloured)
        names = short_names(shown.index)
        roomy = max(map(len, names.values())) <= LONGEST
        for end, column, side in ((0, exact, "right"), (shown.shape[1] - 1, shown.columns[-1], "left")):
            for model, place in zip(shown.index, spread(list(shown[column]), apart), strict=True):
                shift = -0.07 if side == "right" else 0.07
                text = names[model] if end == 0 or roomy else f"{shown.loc[model, column]:g}"
                axes.text(end + shift, place, text, ha=side, va="center", fontsize=size)
        axes.set_xticks(range(shown.shape[1]), list(shown.columns), fontsize=8)
        axes.xaxis.tick_top()
        axes.set_yticks([])
        axes.set_ylim(shown.to_numpy().max() + 0.5, 0.5)
        axes.set_xlim(-0.12, shown.shape[1] - 0.88)
        axes.grid(visible=False)
        axes.spines["bottom"].set_color("none")
    metric, k = part.headlines[0]
    n_crossed = len(reversed_pairs(shown[exact], shown.iloc[:, 1]))
    said = f"Lines: places of {len(shown)} models by {metric}@{k} under {', '.join(map(one_line, shown.columns))}; "
    said += f"{n_crossed} pairs change places between the first two"
    pairs = len(shown) * (len(shown) - 1) // 2
    which = "cross" if coloured == moved else f"are the {len(coloured)} that move furthest"
    lines = f"Lines in colour {which}: the" if coloured else "The"
    caption = (
        f"Places by {written(metric, k)}, its mean over repeated samples. {lines} sample reverses "
        f"{n_crossed} of {pairs} pair{'s' * (pairs > 1)}{tied_in_words(shown)}."
    )
    return Figure("which_order", {said: axes}, caption)


def sampling_part(study: OpenStudy) -> Part | None:
    return next((part for part in study.parts if part.name == "sampling" and part.selected.get("samplers")), None)


def sampled_orders(part: Part) -> pd.DataFrame | None:
    """Places of the models, 1 the best, as columns: exact, by the sampler without correction, corrected.

    The sampler is the one that reverses most by the verdict, or the first with estimates; the correction is the
    verdict's.
    """
    accuracy = artefact(part, "meta", "accuracy")
    found = part.study.verdict["sampling"]
    sampler = most_reversed(found) or next(iter(accuracy["sampler"]), None)
    if sampler is None or len(part.models) < 2:
        return None
    metric, k = part.headlines[0]
    rows = accuracy[(accuracy["metric"] == metric) & (accuracy["k"] == k) & (accuracy["sampler"] == sampler)]
    wide = rows.pivot(index="model", columns="estimator", values="mean").reindex(part.models)
    columns = {"all candidates": rows.drop_duplicates("model").set_index("model")["exact"].reindex(part.models)}
    if UNCORRECTED in wide:
        columns[f"{sample_in_words(part, sampler)}\nuncorrected"] = wide[UNCORRECTED]
    best = found["estimator"]["name"] if found else next((name for name in wide if name != UNCORRECTED), None)
    if best in wide and best != UNCORRECTED:
        columns[f"corrected,\n{best}"] = wide[best]
    if len(columns) == 1 or any(values.isna().any() for values in columns.values()):
        return None
    higher = part.higher_is_better(metric)
    return pd.DataFrame({name: values.rank(ascending=not higher) for name, values in columns.items()})


def sample_in_words(part: Part, sampler: str) -> str:
    definition = part.study.config["samplers"].get(sampler, {})
    return f"{definition['negatives']} negatives" if "negatives" in definition else sampler


def reversed_pairs(one: pd.Series, other: pd.Series) -> list[tuple[str, str]]:
    """The pairs of models that stand in one order on the left and in the other on the right."""
    return [(a, b) for a, b in combinations(one.index, 2) if (one[a] - one[b]) * (other[a] - other[b]) < 0]


def tied_in_words(orders: pd.DataFrame) -> str:
    """How many pairs the sample cannot tell apart though they differ; nothing where there are none."""
    exact, sampled = orders.iloc[:, 0], orders.iloc[:, 1]
    tied = sum(exact[a] != exact[b] and sampled[a] == sampled[b] for a, b in combinations(orders.index, 2))
    return f" and makes {tied} equal" if tied else ""


def changed(orders: pd.DataFrame) -> list[str]:
    """The models that cross another one between the exact order and any of the others, best first."""
    first = orders.iloc[:, 0]
    crossing = {
        model for column in orders.columns[1:] for pair in reversed_pairs(first, orders[column]) for model in pair
    }
    return [model for model in orders.index if model in crossing]


def furthest(orders: pd.DataFrame, moved: list[str]) -> list[str]:
    """Of the models that cross others, as many as there are colours: those that move furthest, best first."""
    distance = orders.sub(orders.iloc[:, 0], axis=0).abs().max(axis=1)[moved]
    chosen = set(distance.sort_values(ascending=False, kind="stable").index[: len(STYLES)])
    return [model for model in moved if model in chosen]


def draw_lines(axes: Axes, orders: pd.DataFrame, moved: list[str]) -> None:
    """Draw the places of every model; those in ``moved`` in colour and above the rest."""
    colours = {model: STYLES[place % len(STYLES)].colour for place, model in enumerate(moved)}
    for model in orders.index:
        look: dict[str, Any] = {"color": colours.get(model, GREY), "linewidth": 2.2 if model in colours else 1.2}
        order = 3 if model in colours else 2
        axes.plot(
            range(orders.shape[1]), orders.loc[model], marker="o", markersize=5, zorder=order, label=model, **look
        )


def one_line(heading: str) -> str:
    return heading.replace("\n", " ")
