"""Where each model puts the relevant test items: exact ranks in buckets that widen with rank (S1 Fig. 5)."""

import numpy as np
import pandas as pd

from truerank.report.block import Block, Blocks
from truerank.report.figure import Figure
from truerank.report.parts import each_part, table_name
from truerank.report.short_names import short_names
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table
from truerank.report.theme import GREY, STYLES, panel


def rank_distributions(study: OpenStudy) -> Block:
    """The share of relevant test items per bucket of ranks: bars per model, and a table of all models."""

    def of_part(part: Part) -> Block:
        shares = bucket_shares(part)
        everyone = shares.mean(axis=1)
        highest = 100 * shares.to_numpy().max() * 1.05
        panels, names = {}, short_names(part.models)
        for model, look in list(part.styles.items())[: len(STYLES)]:
            with panel(names[model], "exact rank", "relevant test items (%)") as axes:
                axes.bar(range(len(shares)), 100 * shares[model], 0.85, color=look.colour, linewidth=0)
                if len(part.models) > 1:
                    axes.stairs(100 * everyone, np.arange(len(shares) + 1) - 0.5, color=GREY, linewidth=1.2)
                axes.set_xticks(range(len(shares)), shares.index, rotation=35, ha="right")
                axes.set_ylim(0, highest)
                axes.grid(axis="x", visible=False)
            panels[f"Bars: share of relevant test items per bucket of ranks under {model}"] = axes
        name = table_name(part, "rank_distribution")
        return Blocks(Figure(name, panels, caption(part)), rank_table(name, shares))

    return each_part(study, of_part)


def bucket_shares(part: Part) -> pd.DataFrame:
    """One row per bucket, one column per model; every column sums to 1."""
    ranks = {model: part.ranks(model) for model in part.models}
    uppers = bucket_uppers(max(int(table["candidates"].max()) for table in ranks.values()))
    lowers = [1, *(upper + 1 for upper in uppers[:-1])]
    labels = [f"{low:,}" if low == up else f"{low:,}-{up:,}" for low, up in zip(lowers, uppers, strict=True)]
    counts = {
        model: np.bincount(np.searchsorted(uppers, table["rank"]), minlength=len(uppers)) / len(table)
        for model, table in ranks.items()
    }
    return pd.DataFrame(counts, index=labels)


def bucket_uppers(largest: int) -> list[int]:
    """Last ranks of the buckets 1, 2-3, 4-10, 11-30, 31-100 and so on, the last one at ``largest``."""
    steps = [base * 10**power for power in range(12) for base in (1, 3)]
    return [upper for upper in steps if upper < largest] + [largest]


def rank_table(name: str, shares: pd.DataFrame) -> Table:
    frame = shares.T.rename_axis("model").reset_index()
    columns = [Column("model"), *(Column(bucket, digits=3) for bucket in shares.index)]
    return Table(name, frame, "Share of relevant test items per bucket of exact ranks", columns)


def caption(part: Part) -> str:
    left_out = len(part.models) - len(STYLES)
    return (
        f"Rank of {part.relevant_in_words} among all candidates. "
        + ("The grey line is the mean of all models. " if len(part.models) > 1 else "")
        + (
            f"The {len(STYLES)} leading models are drawn; the table has the other {left_out} too."
            if left_out > 0
            else ""
        )
    ).strip()
