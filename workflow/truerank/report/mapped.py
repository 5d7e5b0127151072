"""How ranks are distributed, which exact cut-off a sampled one corresponds to, and the winners that follow."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from truerank.estimators._core.mapping import MAPPINGS, beta_exponent, beta_place
from truerank.report.block import Block, Blocks, Prose
from truerank.report.by_rank import line, mean_candidates
from truerank.report.figure import Figure
from truerank.report.sampled import artefact, of_sampling
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table
from truerank.report.theme import GREY, STYLES, panel

SET = 100
MOST_K = 50
BINS = 16


def rank_fits(study: OpenStudy) -> Block:
    """The ranks' own distribution beside Beta(a, 1), and how little the mapping that follows depends on a."""

    def of_part(part: Part) -> Block:
        ranks = {model: part.ranks(model) for model in part.models}
        fitted = {model: beta_exponent(table["rank"], table["candidates"]) for model, table in ranks.items()}
        frame = pd.DataFrame({"model": list(fitted), "a": list(fitted.values())})
        columns = [Column("model"), Column("a", digits=3)]
        table = Table("rank_exponents", frame, "The a of the Beta(a, 1) that fits each model's ranks best", columns)
        return Blocks(density_figure(part, ranks), table, mapping_figure(part))

    return of_sampling(study, of_part, "How ranks are distributed, and the exact cut-off of a sampled one")


def density_figure(part: Part, ranks: Mapping[str, pd.DataFrame]) -> Figure:
    """Li et al. 2024, Fig. 4: shares of ranks per bin over the width of the bin; bins widen with the rank."""
    n_items = mean_candidates(part)
    depth = max(int(table["candidates"].max()) for table in ranks.values())
    edges = np.append(0, np.unique(np.geomspace(1, depth, BINS).round()))  # after the last rank of each bin
    middle = (edges[1:] + edges[:-1]) / 2 / n_items
    with panel("Density of ranks", "rank as a share of the candidates (logarithmic)", "density (logarithmic)") as axes:
        for a in (0.2, 0.5, 1):
            axes.plot(middle, a * middle ** (a - 1), color=GREY, linewidth=1, linestyle="--")
            axes.annotate(f"a = {a:g}", (middle[0], a * middle[0] ** (a - 1)), fontsize="small")
        for model, look in reversed(part.styles.items()):
            density = np.histogram(ranks[model]["rank"], edges + 0.5)[0] / len(ranks[model]) / np.diff(edges) * n_items
            seen = density > 0
            axes.plot(middle[seen], density[seen], marker=look.marker, color=look.colour)
        axes.set_xscale("log")
        axes.set_yscale("log")
    caption = "Solid: exact ranks of each model; dashed: Beta(a, 1). The steeper, the more relevant items are on top."
    panels = {"Lines: density of exact ranks per model, and of Beta(a, 1)": axes}
    return Figure("rank_fit", panels, caption, part.styles, lines=True)


def mapping_figure(part: Part) -> Block:
    """Li et al. 2024, Fig. 5: f(k; a) relative to f(k; 1), the uniform case, in a set of 100."""
    n_items = part.study.facts["items"]
    if n_items <= SET:
        return Prose(f"With {n_items:,} items or fewer, a set of {SET} is no sample to map.")
    k = np.arange(1, MOST_K + 1)
    base = beta_place(k, n_items, SET, 1)
    lines = {f"beta, a = {a:g}": beta_place(k, n_items, SET, a) for a in (0.2, 0.5, 0.8)}
    lines |= {name: MAPPINGS[name](k, n_items, SET) for name in ("linear", "bound")}
    legend = dict(zip(lines, STYLES, strict=False))
    with panel("Mapping functions", "k in the sampled set", "f(k) against beta, a = 1 (%)") as axes:
        for name, place in lines.items():
            axes.plot(k, 100 * (place / base - 1), **line(legend[name]))
    caption = f"Place f(k) of {n_items:,} that a place k in a set of {SET} stands for, less that for uniform ranks."
    panels = {"Lines: relative difference of the mappings against k": axes}
    return Figure("mapping_functions", panels, caption, legend, lines=True)


def mapping_winners(study: OpenStudy) -> Block:
    """Li et al. 2024, Table 3: is the winner by sampled recall@k the winner by exact recall@f(k)?"""

    def of_part(part: Part) -> Block:
        table = artefact(part, "meta", "mapped")
        if table.empty:
            return Prose("No sampler draws the same number of negatives for all users.")
        table = table.assign(k=table["k"].astype(int), share=100 * table["right"] / table["repeats"])
        wide = table.pivot(index=["sampler", "k"], columns="mapping", values=["f", "share"]).sort_index()
        wide = wide.reindex(table["sampler"].unique(), level="sampler")
        frame, columns = wide.index.to_frame(index=False), [Column("sampler"), Column("k")]
        for name in table["mapping"].unique():
            frame[f"f {name}"] = wide["f", name].to_numpy().astype(int)
            frame[f"right {name}"] = wide["share", name].to_numpy()
            columns += [Column(f"f {name}", f"{name}: f(k)"), Column(f"right {name}", "winner right (%)", 0)]
        caption = "In how many repeats the best model by sampled recall@k is the best by exact recall@f(k)"
        return Table("mapping_winners", frame, caption, columns)

    return of_sampling(study, of_part)
