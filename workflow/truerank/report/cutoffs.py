"""How each metric, and the order of the models, changes with the cut-off."""

from truerank.report.block import Blocks, Folded, Prose
from truerank.report.figure import Figure
from truerank.report.parts import each_part, table_name
from truerank.report.standings import DIGITS, INTERVAL
from truerank.report.study import ALL
from truerank.report.table import Column, Table
from truerank.report.theme import REST, panel


def cutoff_curves(study):
    """One panel per kind of metric with a line per model over the cut-offs, and a table of every value."""

    def of_part(part):
        shown = [metric for metric, _ in part.one_of_each_kind(part.verdicts)]
        curves = {metric: [k for k in part.metrics[metric] if k != ALL] for metric in shown}
        curves = {metric: cutoffs for metric, cutoffs in curves.items() if len(cutoffs) > 1}
        drawn = cutoff_figure(part, curves) if curves else Prose("No metric has more than one cut-off to compare.")
        return Blocks(drawn, Folded("Every metric at every cut-off", every_value(part)))

    return each_part(study, of_part)


def cutoff_figure(part, curves):
    looks = part.styles
    panels = {}
    for metric, cutoffs in curves.items():
        places = [int(k) for k in cutoffs]
        values = part.summary[part.summary["metric"] == metric].pivot(index="k", columns="model", values="value")
        values = values.reindex(columns=list(looks))
        with panel(metric, "cut-off k (items, logarithmic)", f"{metric}@k, mean over users") as axes:
            for model, look in reversed(looks.items()):
                axes.plot(places, values.loc[cutoffs, model], marker=look.marker, color=look.colour, label=model)
            axes.set_xscale("log")
            axes.set_xticks(places, cutoffs)
            axes.minorticks_off()
        panels[f"Lines: {metric} against the cut-off, one line per model"] = axes
    legend = {model: look for model, look in looks.items() if look is not REST}
    if len(legend) < len(looks):
        legend[f"the other {len(looks) - len(legend)} models"] = REST
    caption = "Lines that cross are models whose order depends on the cut-off."
    return Figure(table_name(part, "cutoffs"), panels, caption, legend)


def every_value(part):
    frame = part.summary[["model", "metric", "k", "value", "ci_low", "ci_high", "users", "undefined"]]
    columns = [
        Column("model"),
        Column("metric"),
        Column("k", "cut-off"),
        Column("value", digits=DIGITS, low="ci_low", high="ci_high"),
        Column("users", digits=0),
        Column("undefined", "undefined users", digits=0),
    ]
    caption = f"Every metric at every cut-off; under each value its {INTERVAL}"
    return Table(table_name(part, "metrics"), frame, caption, columns)
