"""What the data and the split are like: counts, ratings, popularity."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup
from matplotlib.axes import Axes

from truerank.artefacts.files import read_table
from truerank.report.block import Block, Blocks, Prose, bold
from truerank.report.figure import Figure
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Table, beside, show
from truerank.report.theme import STYLES, panel

LABELS = {
    "gini": "Gini index of item popularity (0 even, 1 all on one item)",
    "density": "density (share of all user-item pairs)",
    "cold_test_items": "test items without training users (ranked like any other)",
    "users_with_one_interaction": "users with one interaction (kept for training)",
    "timestamp_unit": "timestamps in the file (s, ms, us or ns since 1970, or iso8601 dates; kept as seconds)",
    "likely_missing_rating": "rating that may mean a missing rating",
    "items_declared": "items of the declared catalogue",
    "items_without_rows": "items without interactions (candidates like any other)",
    "rows_without_rating": "rows without a rating (left out)",
    "cold_test_users_dropped": "test users who are not in training (dropped)",
    "cold_test_rows_dropped": "test rows of these users (dropped)",
    "attributes_absent": "files of attributes that are missing",
    "checksum": "SHA-256 of the canonical table",
}
SAID_ELSEWHERE = ("name", "dataset", "split")
CURVE_POINTS = 200
TICKS = 12


def dataset_facts(study: OpenStudy) -> Block:
    """Everything that the summary of the dataset says, as a table."""
    return facts_table("dataset", {study.dataset: study.facts}, "The dataset")


def split_facts(study: OpenStudy) -> Block:
    """Everything that the summaries of the splits say, and the users whom ranking metrics cannot score."""
    absent = [Prose(f"The study has no {name} part.") for name in study.missing_parts]
    splits = {part.split: part.facts | relevance_facts(part) for part in study.parts}
    return Blocks(facts_table("splits", splits, "The splits"), *absent) if splits else Blocks(*absent)


def relevance_facts(part: Part) -> dict[str, int]:
    test = read_table(part.split_folder / "test.parquet", ["user", "rating"])
    has_relevant = part.relevant(test).groupby(test["user"]).any()
    return {"users_without_a_relevant_test_item": int((~has_relevant).sum())}


def facts_table(name: str, facts: Mapping[str, Mapping[str, Any]], caption: str) -> Table:
    """Show dictionaries side by side; what is nested further than a list has a figure of its own."""
    rows: dict[str, dict[str, str]] = {}
    for column, of_one in facts.items():
        for key, value in of_one.items():
            if value is not None and not isinstance(value, dict) and key not in SAID_ELSEWHERE:
                rows.setdefault(LABELS.get(key, key.replace("_", " ")), {})[column] = in_words(key, value)
    columns = beside(facts, "name", "fact")
    frame = pd.DataFrame(rows, index=list(facts)).T.rename(columns=columns).rename_axis("fact").reset_index()
    return Table(name, frame, caption, sortable=False)


def in_words(key: str, value: Any) -> str:
    if key == "timestamp_range":
        return " to ".join(f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d}" for time in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " to ".join(map(show, value)) if isinstance(value, list) else show(value)


def distributions(study: OpenStudy) -> Block:
    """How many interactions each rating and each item has."""
    ratings = study.facts.get("rating_histogram")
    panels, captions = {}, []
    for draw, counts in ((rating_histogram, ratings), (popularity_curve, study.popularity)):
        if counts is not None and len(counts):
            text, axes, caption = draw(counts)  # type: ignore[arg-type]  # its own
            panels[text] = axes
            captions.append(caption)
    figure = Figure("distributions", panels, " ".join(captions))
    return figure if ratings else Blocks(Prose("The interactions of this dataset carry no ratings."), figure)


def rating_histogram(counts: Mapping[str, int]) -> tuple[str, Axes, str]:
    """Draw the number of interactions per rating."""
    bars = sorted((np.mean([float(edge) for edge in name.split("..")]), count) for name, count in counts.items())
    ratings, heights = zip(*bars, strict=True)
    with panel("Ratings", "rating", "interactions") as axes:
        axes.bar(ratings, heights, 0.8 * min(np.diff(ratings), default=1), color=STYLES[0].colour, linewidth=0)
        axes.grid(axis="x", visible=False)
        axes.yaxis.set_major_formatter("{x:,.0f}")
        if len(ratings) <= TICKS:
            axes.set_xticks(ratings, [f"{rating:g}" for rating in ratings])
    rating, most = max(bars, key=lambda bar: bar[1])
    caption = f"The most frequent rating is {rating:g}, with {percent(most / sum(heights))} of all interactions."
    return "Bars: interactions per rating", axes, caption


def popularity_curve(counts: np.ndarray) -> tuple[str, Axes, str]:
    """Draw the number of interactions of the most popular item, the second, and so on."""
    places = np.unique(np.geomspace(1, len(counts), CURVE_POINTS).round().astype(int))
    with panel("Item popularity", "item, most popular first (logarithmic)", "interactions (logarithmic)") as axes:
        axes.loglog(places, counts[places - 1], color=STYLES[0].colour)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:,.0f}")
            axis.set_minor_formatter("")
    top = counts[: max(1, len(counts) // 10)].sum() / counts.sum()
    caption = f"The most popular tenth of the items holds {percent(top)} of the interactions."
    return "Curve: interactions per item, most popular first", axes, caption


def dataset_line(study: OpenStudy) -> Markup:
    """The dataset in one line."""
    facts = study.facts
    counts = [f"{show(facts[key])} {key}" for key in ("users", "items", "interactions") if key in facts]
    density = f": {percent(facts['density'])} of all user-item pairs" if "density" in facts else ""
    return Markup("{} has {}{}.").format(bold(study.dataset), ", ".join(counts), density)


def split_line(part: Part) -> Markup:
    """What a part holds out, in one line."""
    counts = show(part.facts["test_rows"]), show(part.facts["test_users"])
    return Markup("For {}, split {} holds out {} interactions of {} users.").format(
        part.name, bold(part.split), *counts
    )


def percent(share: float) -> str:
    return f"{100 * share:,.0f}\u00a0%" if abs(share) >= 10 else f"{100 * share:.3g}\u00a0%"
