"""How well each metric tells models apart: sums and curves of p-values (Valcarce et al. 2018, Table 3 and Fig. 8)."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes

from truerank.report.block import Block, Blocks, Folded, Prose
from truerank.report.figure import Figure
from truerank.report.grouped import ALPHA
from truerank.report.metric_names import written
from truerank.report.parts import each_part, table_name
from truerank.report.study import OpenStudy, Part, as_number
from truerank.report.table import Column, Table
from truerank.report.theme import GREY, WIDE, Style, line_style, ordered_styles, panel, styles

ONE_MODEL = "This does not apply: with one model there is no pair to compare."
DIGITS = 4
NEGLIGIBLE = 0.001  # p-values below this are left out of the curves where all lines are below
FALLING = (
    "The lower and the further left a curve falls, the more pairs the metric separates; "
    f"the dotted line is p = {ALPHA}. Pairs further right have p-values below {NEGLIGIBLE} under all."
)
Line = tuple[str, str, str]  # what a curve is called, its metric and its cut-off


def discriminative_power(study: OpenStudy) -> Block:
    """The sum of p-values per metric and cut-off, the curves behind it, and every test."""

    def of_part(part: Part) -> Block:
        if len(part.models) == 1:
            return Prose(ONE_MODEL)
        tests = part.meta("significance")
        figure = p_value_curves(part, tests)
        return Blocks(figure, power_table(part), Folded("Every test", test_table(part, tests)))

    return each_part(study, of_part)


def power_table(part: Part) -> Table:
    power = part.meta("discriminative_power")
    cutoffs = sorted(power["k"].unique(), key=as_number)
    wide = power.pivot(index="metric", columns="k", values="dp").reindex(index=list(part.metrics), columns=cutoffs)
    frame = wide.rename_axis(columns=None).reset_index()
    columns = [Column("metric"), *(Column(k, f"@{k}", DIGITS) for k in cutoffs)]
    pairs = len(part.models) * (len(part.models) - 1) // 2
    caption = (
        f"Discriminative power: the sum of the p-values over {pairs} pairs, less is better; "
        "papers that count each pair in both directions print twice this"
    )
    return Table(table_name(part, "discriminative_power"), frame, caption, columns)


def p_value_curves(part: Part, tests: pd.DataFrame) -> Figure:
    """Sorted p-values: of every metric at its headline cut-off, and of the first metric at every cut-off."""
    first = part.headlines[0][0]
    sets = {"metrics": [(f"{m}@{k}", m, k) for m, k in part.one_of_each_kind(part.verdicts)]}
    if len(part.metrics[first]) > 1:
        sets[f"cut-offs of {written(first)}"] = [(f"@{k}", first, k) for k in part.metrics[first]]
    panels: dict[str, Axes] = {}
    looks: dict[str, Style] = {}
    for what, lines in sets.items():
        looks |= looks_of(lines)
        axes = p_value_panel(f"Sorted p-values, {what}", lines, tests, looks)
        panels[f"Curves: p-values of all pairs by {what}"] = axes
    return Figure(table_name(part, "p_values"), panels, FALLING, looks, wide=True, lines=True)


def looks_of(lines: Sequence[Line]) -> dict[str, Style]:
    """Return a style per line: cut-offs of one metric from light to dark, metrics each in a colour of its own."""
    labels = [label for label, *_ in lines]
    return ordered_styles(labels) if len({metric for _, metric, _ in lines}) == 1 else styles(labels)


def p_value_panel(title: str, lines: Sequence[Line], tests: pd.DataFrame, looks: Mapping[str, Style]) -> Axes:
    """The p-values of all pairs, largest first, a line per metric and cut-off. tests : ``significance.parquet``."""
    hard = 1
    with panel(title, "pair of models, hardest first", "p-value", width=WIDE) as axes:
        for label, metric, k in reversed(lines):
            p_values = tests.loc[(tests["metric"] == metric) & (tests["k"] == k), "p_value"].sort_values()[::-1]
            in_view = int((p_values >= NEGLIGIBLE).sum())
            hard = max(hard, in_view)
            axes.plot(range(1, len(p_values) + 1), p_values, label=label, **line_style(looks[label], in_view))
        axes.axhline(ALPHA, linewidth=1, linestyle=":", color=GREY, zorder=1)
        axes.set_ylim(-0.03, 1.03)
        axes.set_xlim(0.5, hard + 1.5)
        axes.xaxis.get_major_locator().set_params(integer=True)  # type: ignore[call-arg]  # of a MaxNLocator
    return axes


def test_table(part: Part, tests: pd.DataFrame) -> Table:
    """The adjusted p-value of each pair under one metric of each kind; all tests are in significance.parquet."""
    shown = [f"{metric}@{k}" for metric, k in part.one_of_each_kind(part.verdicts)]
    tests = tests.assign(name=tests["metric"] + "@" + tests["k"])
    wide = tests[tests["name"].isin(shown)].pivot(index=["model_a", "model_b"], columns="name", values="p_holm")
    place = {model: number for number, model in enumerate(part.models)}
    wide = wide.reindex(columns=shown).sort_index(key=lambda models: models.map(place))
    columns = [Column("model_a", "model"), Column("model_b", "against")]
    columns += [Column(name, digits=DIGITS) for name in shown]
    frame = wide.rename_axis(columns=None).reset_index()
    caption = (
        "p-values of sign-flip tests of the difference of means, two-sided, after Holm’s adjustment over all pairs "
        f"under one metric; below {ALPHA} the metric separates the pair"
    )
    return Table(table_name(part, "significance"), frame, caption, columns)
