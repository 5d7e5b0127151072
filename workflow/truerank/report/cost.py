"""What the study cost: time and memory per stage and per model, from the benchmark files and logs of its jobs."""

import pandas as pd

from truerank.artefacts.cost import cost_of, finished_jobs
from truerank.config.replicates import is_replicate
from truerank.report.block import Block, Prose
from truerank.report.study import OpenStudy
from truerank.report.table import Column, Table

ORDER = ["fetch_dataset", "split_interactions", "tune_model", "train_model", "rank_items", "evaluate_metrics"]
ORDER += [
    "test_significance",
    "measure_robustness",
    "correlate_metrics",
    "measure_migration",
    "measure_replicates",
    "verdict",
    "measure_groups",
]
ORDER += ["sample_ranks", "fit_ranks", "estimate_metrics", "judge_sampling", "draw_curves"]
PER_MODEL = ["train_model", "rank_items"]


def stage_cost(study: OpenStudy) -> Block:
    """Jobs, seconds and peak memory of each stage."""
    jobs = read_benchmarks(study)
    if jobs.empty:
        return Prose("There are no benchmark files for this dataset, so no times to show.")
    stages = jobs.groupby("stage", sort=False).agg(
        jobs=("seconds", "size"),
        seconds=("seconds", "sum"),
        longest=("seconds", "max"),
        memory=("memory", "max"),
    )
    columns = [
        Column("stage"),
        Column("jobs"),
        Column("seconds", "time of all jobs (s)", 1),
        Column("longest", "longest job (s)", 1),
        Column("memory", "peak memory (MB)", 0),
    ]
    return Table("cost", stages.reset_index(), "Time and memory of each stage", columns)


def model_cost(study: OpenStudy) -> Block:
    """Seconds and peak memory of training and ranking, per split and model."""
    jobs = read_benchmarks(study)
    jobs = jobs[jobs["stage"].isin(PER_MODEL) & ~jobs["job"].map(is_replicate)]
    if jobs.empty:
        return Prose("There are no benchmark files of training and ranking, so no times per model to show.")
    wide = jobs.pivot_table(index="job", columns="stage", values=["seconds", "memory"], aggfunc="max", sort=False)
    frame = pd.DataFrame({"job": wide.index})
    columns = [Column("job", "split and model")]
    for stage in jobs["stage"].unique():
        for measure, unit, digits in (("seconds", "s", 1), ("memory", "MB", 0)):
            key = f"{stage} {measure}"
            frame[key] = wide[(measure, stage)].to_numpy() if (measure, stage) in wide else float("nan")
            columns.append(Column(key, f"{stage} ({unit})", digits))
    return Table("cost_of_models", frame, "Time and peak memory of training and ranking", columns)


def read_benchmarks(study: OpenStudy) -> pd.DataFrame:
    """One row per job of this dataset: stage, job (the path below the dataset), seconds, memory in MB.

    Rendering is left out: its own times would make every page differ from the one before.
    """
    rows = []
    for job in sorted(finished_jobs(study.results)):
        stage, _, rest = job.partition("/")
        if f"{rest}/".startswith(f"{study.dataset}/") and not stage.startswith(("render_", "draw_figures")):
            seconds, memory = cost_of(study.results, job)
            rows.append((stage, rest.removeprefix(study.dataset).lstrip("/"), seconds, memory or float("nan")))
    jobs = pd.DataFrame(rows, columns=["stage", "job", "seconds", "memory"])
    return jobs.sort_values("stage", key=lambda stages: stages.map(place_in_order), kind="stable")


def place_in_order(stage: str) -> int:
    return ORDER.index(stage) if stage in ORDER else len(ORDER)
