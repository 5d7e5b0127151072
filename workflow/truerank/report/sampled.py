"""What sampling made of the metrics, and what correction gave back."""

import pandas as pd

from truerank.report.block import Blocks, Folded, Prose
from truerank.report.figure import Figure
from truerank.report.table import Column, Table
from truerank.report.theme import STYLES, panel
from truerank.stages.files import read_table

PERCENT = 1
MOST_K = 50


def of_sampling(study, show):
    """Apply ``show`` to the sampling part; say so where there is none, or where it selects no samplers."""
    for part in study.parts:
        if part.name == "sampling" and part.selected.get("samplers"):
            return show(part)
    return Prose("This does not apply: the study selects no samplers.")


def artefact(part, folder, name):
    """Read one table of the sampling part."""
    return read_table(part.study.results / folder / part.study.dataset / part.split / f"{name}.parquet")


def headline_rows(part, table):
    """The rows of each metric at the cut-off that speaks for it, with ``metric`` and ``k`` joined."""
    wanted = [f"{metric}@{k}" for metric, k in part.headlines]
    rows = table.assign(metric=table["metric"] + "@" + table["k"])
    return rows[rows["metric"].isin(wanted)], wanted


def sampled_metrics(study):
    """Every model's exact metric beside the means of all estimates, with their spread over repeats."""

    def of_part(part):
        accuracy = artefact(part, "meta", "accuracy")
        if accuracy.empty:
            return Prose("This does not apply: only users are sampled, and these are ranked exactly.")
        rows, metrics = headline_rows(part, accuracy)
        frame = rows[["metric", "model", "sampler", "estimator", "exact", "mean", "sd", "relative_error"]]
        columns = [*map(Column, ("metric", "model", "sampler", "estimator"))]
        columns += [Column(key, digits=4) for key in ("exact", "mean", "sd")]
        columns.append(Column("relative_error", "relative error", 3))
        everything = Table("sampled_metrics", frame, "Exact metrics and estimates from samples", columns)
        return Blocks(sampled_figure(part, rows, metrics), Folded("Every estimate", everything))

    return of_sampling(study, of_part)


def sampled_figure(part, rows, metrics):
    sampler = rows["sampler"].iloc[0]
    panels = {}
    for metric in metrics:
        chosen = rows[(rows["metric"] == metric) & (rows["sampler"] == sampler)]
        estimators = list(dict.fromkeys(chosen["estimator"]))
        with panel(metric, "estimate minus exact", height=0.9 + 0.24 * len(estimators)) as axes:
            for place, estimator in enumerate(estimators):
                of_one = chosen[chosen["estimator"] == estimator].set_index("model")
                for model, look in part.styles.items():
                    error = of_one.at[model, "mean"] - of_one.at[model, "exact"]
                    axes.plot(error, place, look.marker or "o", color=look.colour)
            axes.axvline(0, linewidth=1, color="#a3acb5")
            axes.set_yticks(range(len(estimators)), estimators)
            axes.set_ylim(len(estimators) - 0.4, -0.6)
            axes.grid(axis="y", visible=False)
        panels[f"Points: error of each estimator for {metric}, one point per model"] = axes
    caption = f"Mean over repeats of the estimate minus the exact value, sampler {sampler}; 0 is right."
    return Figure("sampled_errors", panels, caption, part.styles)


def order_reversals(study):
    """How often each pair of models comes out in the right order."""

    def of_part(part):
        order = artefact(part, "meta", "order")
        if order.empty:
            return Prose("There are no pairs of models, or no estimates, to order.")
        rows, metrics = headline_rows(part, order)
        rows = rows.assign(share=100 * rows["right"] / rows["repeats"], pair=rows["model_a"] + " / " + rows["model_b"])
        frame = rows[["sampler", "estimator", "metric", "pair", "share", "repeats"]].sort_values("share", kind="stable")
        columns = [*map(Column, ("sampler", "estimator", "metric", "pair"))]
        columns += [Column("share", "right order (% of repeats)", 0), Column("repeats")]
        table = Table("orders", frame, "How often the order of two models is that of the exact metric", columns)
        return Blocks(Prose(*reversal_sentences(rows, metrics)), Folded("Every pair", table))

    return of_sampling(study, of_part)


def reversal_sentences(rows, metrics):
    """Say, per sampler, how many pairs the uncorrected metric turns round in most repeats."""
    plain = rows[rows["estimator"] == "uncorrected"]
    if plain.empty:
        yield "The uncorrected metric was not among the estimators."
    for sampler, of_sampler in plain.groupby("sampler", sort=False):
        counts = [
            f"{int((chosen['share'] < 50).sum())} of {len(chosen)} for {metric}"
            for metric in metrics
            for chosen in [of_sampler[of_sampler["metric"] == metric]]
        ]
        yield f"Pairs in the wrong order in most repeats, uncorrected, sampler {sampler}: {'; '.join(counts)}."


def estimator_errors(study):
    """Mean relative error, winners and cost of every sampler with every estimator, and the error against k."""

    def of_part(part):
        accuracy = artefact(part, "meta", "accuracy")
        if accuracy.empty:
            return Prose("This does not apply: no estimator was selected.")
        near = accuracy[(accuracy["k"] == "all") | (pd.to_numeric(accuracy["k"], errors="coerce") <= MOST_K)]
        keys = ["sampler", "estimator"]
        errors = 100 * near.pivot_table(index=keys, columns="metric", values="relative_error", sort=False)
        winner = artefact(part, "meta", "winner")
        right = winner.groupby(keys, sort=False)[["right_top1", "right_top2", "repeats"]].sum()
        cost = artefact(part, "meta", "cost").groupby("sampler")["per_instance"].mean()
        frame = errors.copy()
        frame["winner"] = 100 * right["right_top1"] / right["repeats"]
        frame["top two"] = 100 * right["right_top2"] / right["repeats"]
        frame = frame.reset_index()
        frame["scores"] = frame["sampler"].map(cost)
        columns = [Column("sampler"), Column("estimator")]
        columns += [Column(metric, f"{metric} error (%)", PERCENT) for metric in errors.columns]
        columns += [Column("winner", "winner right (%)", 0), Column("top two", "best two right (%)", 0)]
        columns.append(Column("scores", "items scored per instance", 0))
        caption = (
            f"Mean relative error over models and cut-offs up to {MOST_K}, winners over metrics and cut-offs, and cost"
        )
        table = Table("estimators", frame, caption, columns)
        return Blocks(table, error_figure(near))

    return of_sampling(study, of_part)


def error_figure(accuracy):
    """The relative error against k: where sampled ranks of 1 hide what lies above, small k is a blind spot."""
    rows = accuracy[accuracy["k"] != "all"].assign(k=lambda table: table["k"].astype(int))
    panels, legend = {}, {}
    for metric, of_metric in rows.groupby("metric", sort=False):
        means = of_metric.pivot_table(index="k", columns=["sampler", "estimator"], values="relative_error")
        best = means.mean().nsmallest(len(STYLES)).index
        with panel(metric, "cut-off k", "relative error (%)") as axes:
            for pair in best:
                look = legend.setdefault(" · ".join(pair), STYLES[len(legend) % len(STYLES)])
                axes.plot(means.index, 100 * means[pair], marker=look.marker, color=look.colour)
        panels[f"Lines: relative error of {metric} against the cut-off, for the best estimators"] = axes
    if not panels:
        return Prose("No metric has a cut-off to plot errors against.")
    return Figure(
        "errors_by_cutoff", panels, "Relative error against the cut-off, for the best of each metric.", legend
    )


def user_sampling(study):
    """How near a sample of users comes, and how often its intervals hold the exact value."""

    def of_part(part):
        table = artefact(part, "meta", "user_sampling")
        if table.empty:
            return Prose("No sampler takes some of the users.")
        rows, _ = headline_rows(part, table)
        for key in ("normal", "hoeffding"):
            rows = rows.assign(**{key: 100 * rows[f"{key}_covered"] / rows["repeats"]})
        shown = ["sampler", "model", "metric", "exact", "mean", "sd", "relative_error", "normal", "hoeffding"]
        columns = [*map(Column, shown[:3]), *(Column(key, digits=4) for key in shown[3:6])]
        columns.append(Column("relative_error", "relative error", 3))
        columns.append(Column("normal", "normal interval holds (%)", 0))
        columns.append(Column("hoeffding", "Hoeffding interval holds (%)", 0))
        return Table("user_sampling", rows[shown], "Metrics on samples of users, with 95 % intervals", columns)

    return of_sampling(study, of_part)
