"""SDCSE beside MAP and nDCG, and of explicit and implicit feedback (Aftab & Ramampiaro 2022, Tables 1 and 3)."""

from collections.abc import Sequence

from truerank.report.block import Block, Blocks, Prose
from truerank.report.predictions import on_predictions
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table, beside

RANKED_ERROR = ("sdcse", "sdcse_accuracy")
SIZES = ("cse", "dcse", "wdcse")  # how large errors are, where SDCSE is a ratio
BESIDE = ("ap", "ndcg")
DIGITS = 4


def ranked_error(study: OpenStudy) -> Block:
    """How well SDCSE tells models apart beside MAP and nDCG, and its value for each model."""
    part = next((part for part in study.parts if part.name == "ranking"), None)
    chosen = [name for name in part.metrics if part.kind(name) in RANKED_ERROR] if part else []
    if part is None or not chosen:
        return Prose("SDCSE is not shown: the study does not select it, or no model predicts ratings.")
    chosen += [name for name in part.metrics if part.kind(name) in SIZES]
    return Blocks(power_beside(part), values(part, chosen), *map(Prose, on_predictions(part)))


def power_beside(part: Part) -> Table:
    """The sum of p-values of SDCSE, MAP and nDCG at the cut-offs of the study."""
    power = part.meta("discriminative_power")
    names = [name for name in part.metrics if part.kind(name) in (*BESIDE, *RANKED_ERROR)]
    cutoffs = list(dict.fromkeys(k for name in names for k in part.metrics[name]))
    wide = power.pivot(index="metric", columns="k", values="dp").reindex(index=names, columns=cutoffs)
    frame = wide.rename_axis(columns=None).reset_index()
    columns = [Column("metric"), *(Column(k, f"@{k}", DIGITS) for k in cutoffs)]
    caption = (
        "Discriminative power of SDCSE beside MAP and nDCG: the sum of the p-values over all pairs, less is better"
    )
    return Table("sdcse_power", frame, caption, columns)


def values(part: Part, chosen: Sequence[str]) -> Table:
    """SDCSE of every model at the headline cut-off of each variant, explicit or implicit, and the sizes of errors."""
    at = {name: k for name, k in part.headlines if name in chosen}
    rows = part.summary[
        [at.get(metric) == k for metric, k in zip(part.summary["metric"], part.summary["k"], strict=True)]
    ]
    wide = rows.pivot(index="model", columns="metric", values="value").reindex(columns=chosen)
    names = beside(chosen, "metric", "model")
    frame = wide.rename(columns=names).rename_axis(columns=None).reset_index()
    columns = [Column("model"), *(Column(names[m], f"{m}@{at[m]}, {feedback(part, m)}", DIGITS) for m in chosen)]
    caption = (
        "SDCSE, less is better, and sdcse_accuracy, which is 1 - SDCSE: of ratings (explicit), and of liked and not "
        "liked (implicit)"
    )
    if any(part.kind(name) in SIZES for name in chosen):
        caption += "; cse, dcse and wdcse, less is better, say how large the errors are"
    return Table("sdcse", frame, caption, columns)


def feedback(part: Part, metric: str) -> str:
    rule = part.study.config.get("metrics", {}).get(metric, {}).get("relevance", part.relevance)
    return "implicit" if rule.get("binary") else "explicit"
