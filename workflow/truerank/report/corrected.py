"""How near corrections come to the exact metrics, and what they cost."""

import pandas as pd

from truerank.report.block import Block, Blocks, Prose
from truerank.report.figure import Figure
from truerank.report.metric_names import written
from truerank.report.sampled import artefact, headline_rows, of_sampling
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table, beside
from truerank.report.theme import STYLES, panel

MOST_K = 50
FAR = 8  # times the median error of the lines: others would be flat beside it


def estimator_errors(study: OpenStudy) -> Block:
    """Mean relative error, winners and cost of every sampler with every estimator, and the error against k."""

    def of_part(part: Part) -> Block:
        accuracy = artefact(part, "meta", "accuracy")
        if accuracy.empty:
            return Prose("This does not apply: no estimator was selected.")
        near = accuracy[(accuracy["k"] == "all") | (pd.to_numeric(accuracy["k"], errors="coerce") <= MOST_K)]
        keys = ["sampler", "estimator"]
        names = beside(near["metric"].unique(), "metric", *keys, "winner", "top two", "scores")
        errors = near.assign(metric=near["metric"].map(names))
        errors = 100 * errors.pivot_table(index=keys, columns="metric", values="relative_error", sort=False)
        winner = artefact(part, "meta", "winner")
        right = winner.groupby(keys, sort=False)[["right_top1", "right_top2", "repeats"]].sum()
        cost = artefact(part, "meta", "cost").groupby("sampler")["per_instance"].mean()
        frame = errors.copy()
        frame["winner"] = 100 * right["right_top1"] / right["repeats"]
        frame["top two"] = 100 * right["right_top2"] / right["repeats"]
        frame = frame.reset_index()
        frame["scores"] = frame["sampler"].map(cost)
        columns = [Column("sampler"), Column("estimator")]
        columns += [Column(metric, f"{metric} error (%)", 1) for metric in errors.columns]
        columns += [Column("winner", "winner right (%)", 0), Column("top two", "best two right (%)", 0)]
        columns.append(Column("scores", "items scored per instance", 0))
        caption = (
            f"Mean relative error over models and cut-offs up to {MOST_K}, winners over metrics and cut-offs, and cost"
        )
        table = Table("estimators", frame, caption, columns)
        return Blocks(error_figure(near), table)

    return of_sampling(study, of_part)


def error_figure(accuracy: pd.DataFrame) -> Block:
    """The relative error against k: where sampled ranks of 1 hide what lies above, small k is a blind spot."""
    rows = accuracy[accuracy["k"] != "all"].assign(k=lambda table: table["k"].astype(int))
    if rows.empty:
        return Prose("No metric has a cut-off to plot errors against.")
    means = rows.pivot_table(index=["metric", "k"], columns=["sampler", "estimator"], values="relative_error")
    looks = dict(zip(means.mean().nsmallest(len(STYLES)).index, STYLES, strict=False))
    panels = {}
    for metric in rows["metric"].unique():
        of_metric = 100 * means.loc[metric]
        average = of_metric[list(looks)].mean()
        far = bool(average.max() > FAR * average.median() > 0)  # such as uncorrected ones beside corrected ones
        with panel(written(metric), "cut-off k", f"relative error (%{', logarithmic' * far})") as axes:
            for pair, look in looks.items():
                axes.plot(of_metric.index, of_metric[pair], marker=look.marker, color=look.colour)
            if far:
                axes.set_yscale("log")
        panels[f"Lines: relative error of {metric} against the cut-off, for the best estimators"] = axes
    legend = {" · ".join(pair): look for pair, look in looks.items()}
    caption = "Relative error against the cut-off, for the estimators with the smallest mean."
    return Figure("errors_by_cutoff", panels, caption, legend, lines=True)


def user_sampling(study: OpenStudy) -> Block:
    """How near a sample of users comes, and how often its intervals hold the exact value."""

    def of_part(part: Part) -> Block:
        table = artefact(part, "meta", "user_sampling")
        if table.empty:
            return Prose("No sampler draws users.")
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
