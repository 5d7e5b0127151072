"""Run the scale study at growing sizes and write the tables of docs/scale.md from the benchmark files and logs.

    .venv/bin/python docs/make_scale.py FOLDER            # 1x, 2x, 4x and 8x; 8x is workflow/studies/scale.yaml
    .venv/bin/python docs/make_scale.py FOLDER --sizes 1 2

A run that was stopped goes on where it was; one that is finished is only read.
"""

import argparse
import math
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import yaml
from truerank.artefacts.cost import cost_of, finished_jobs
from truerank.registry import DATASETS

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).with_name("scale.md")
STUDY = ROOT / "workflow" / "studies" / "scale.yaml"
WHOLE = 8  # the size that the study itself has
BY_NAME = ("train_model", "rank_shard", "sample_ranks", "draw_shard")  # a row of their own per model or sampler
MARK = "<!-- written by make_scale.py -->\n"
MEMORY = """\
Memory is the most that a job's largest process ever held, which the job writes into its log, or the sum over its
processes where Snakemake saw more; `mem_mb` is what its rule asks for.
"""
TARGET = {"users": 100_000_000, "items": 10_000_000}


@dataclass(frozen=True)
class Size:
    """How large a dataset is."""

    users: int
    items: int
    interactions: int


# How the work of a stage grows, in theory: what the paper estimate multiplies the measured time by. Those that are not
# here draw pages, or do the same for any size.
LAWS = {
    "fetch_dataset": ("n", lambda s: s.interactions),
    "split_interactions": ("n", lambda s: s.interactions),
    "check_relevance": ("n", lambda s: s.interactions),
    "train_model popularity": ("n", lambda s: s.interactions),
    "train_model item_cf_z": ("n² / M", lambda s: s.interactions**2 / s.users),
    "train_model ials": ("n", lambda s: s.interactions),
    "train_model ease": ("N³", lambda s: s.items**3),
    "rank_shard popularity": ("M N", lambda s: s.users * s.items),
    "rank_shard item_cf_z": ("M N", lambda s: s.users * s.items),
    "rank_shard ials": ("M N", lambda s: s.users * s.items),
    "rank_shard ease": ("n N", lambda s: s.interactions * s.items),
    "rank_items": ("M", lambda s: s.users),
    "evaluate_shard": ("n", lambda s: s.interactions),
    "evaluate_metrics": ("M", lambda s: s.users),
    "flip_shard": ("M", lambda s: s.users),
    "test_significance": ("M", lambda s: s.users),
    "sweep_shard": ("n", lambda s: s.interactions),
    "measure_migration": ("n", lambda s: s.interactions),
    "measure_groups": ("n", lambda s: s.interactions),
    "draw_shard draw_100": ("M", lambda s: s.users),
    "sample_ranks uniform_10": ("M", lambda s: s.users),
    "sample_ranks adaptive_10": ("M", lambda s: s.users),
    "sample_ranks users_1000": ("M", lambda s: s.users),
    "sample_ranks draw_100": ("M", lambda s: s.users),
    "fit_ranks": ("N", lambda s: s.items),
    "estimate_metrics": ("N", lambda s: s.items),
    "judge_sampling": ("M", lambda s: s.users),
    "draw_curves": ("M", lambda s: s.users),
}


def study_of(size):
    """Return the scale study with users, items and interactions in proportion to ``size``."""
    study = yaml.safe_load(STUDY.read_text(encoding="utf-8"))
    settings = study["datasets"]["scale"]
    for name in ("users", "items", "interactions"):
        settings[name] = round(settings[name] * size / WHOLE)
    return study


def size_of(study):
    settings = study["datasets"]["scale"]
    return Size(settings["users"], settings["items"], settings["interactions"])


def run(folder, size, cores, memory):
    """Run the study of one size in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.yaml").write_text(yaml.safe_dump(study_of(size), sort_keys=False), encoding="utf-8")
    snakemake = Path(sys.executable).with_name("snakemake")
    limits = ["--cores", str(cores), "--resources", f"mem_mb={memory}"]
    where = ["--snakefile", str(ROOT / "Snakefile"), "--directory", str(folder), "--configfile", "study.yaml"]
    subprocess.run([str(snakemake), *limits, *where], cwd=folder, check=True)


def measured(results):
    """Return stage -> seconds, summed over its jobs, and megabytes of its largest job."""
    seconds, memory = defaultdict(float), defaultdict(float)
    for job in sorted(finished_jobs(results)):
        rule, *names = job.split("/")
        names = names[:-1] if rule.endswith("_shard") else names
        stage = f"{rule} {names[-1]}" if rule in BY_NAME else rule
        took, held = cost_of(results, job)
        seconds[stage] += took
        memory[stage] = max(memory[stage], held)
    return {stage: (seconds[stage], memory[stage]) for stage in seconds}


def allowed(stage):
    """Return the megabytes that the rule of a stage asks for; those of reading data are its source's own."""
    if stage == "fetch_dataset":
        return DATASETS["synthetic"].facts.memory_mb
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "workflow" / "rules").glob("*.smk"))
    rule = re.compile(rf"^use rule stage as {stage.split()[0]} with:.*?mem_mb=(\d+)", re.MULTILINE | re.DOTALL)
    return next(int(found[1]) for found in map(rule.search, texts) if found)


def exponent(figures, sizes):
    """Return the slope between the two largest sizes on logarithmic scales, None where it cannot be told."""
    if len(sizes) < 2 or min(figures[-2:]) <= 0:
        return None
    return math.log(figures[-1] / figures[-2]) / math.log(sizes[-1] / sizes[-2])


def projected(stage, seconds, size):
    """Return the hours of one core that a stage would take at the target, by its law; None without one."""
    if stage not in LAWS:
        return None
    law = LAWS[stage][1]
    target = Size(**TARGET, interactions=round(size.interactions / size.users * TARGET["users"]))
    return seconds * law(target) / law(size) / 3600


def tables(runs):
    """Return the Markdown of both tables. runs : factor -> what ``measured`` returned, ascending."""
    sizes = list(runs)
    stages = [stage for stage in runs[sizes[-1]] if all(stage in found for found in runs.values())]
    heads = [f"{size:g}x" for size in sizes]
    time = [["stage", *(f"{head}, s" for head in heads), "exponent", *(f"{head}, MB" for head in heads), "exponent"]]
    time[0].append("`mem_mb`")
    paper = [["stage", "grows as", f"hours of a core at {heads[-1]}", "at 100 million x 10 million"]]
    for stage in stages:
        seconds, memory = zip(*(runs[size][stage] for size in sizes), strict=True)
        slopes = [exponent(figures, sizes) for figures in (seconds, memory)]
        shown = ["–" if slope is None else f"{slope:.1f}" for slope in slopes]
        time.append([stage, *(f"{s:.1f}" for s in seconds), shown[0], *(f"{m:,.0f}" for m in memory), shown[1]])
        time[-1].append(f"{allowed(stage):,}")
        hours = projected(stage, seconds[-1], size_of(study_of(sizes[-1])))
        if hours is not None:
            paper.append([stage, LAWS[stage][0], f"{seconds[-1] / 3600:.3f}", f"{hours:,.0f}"])
    return f"{MEMORY}\n{markdown(time)}\n{markdown(paper)}"


def markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--sizes", type=float, nargs="+", default=[1, 2, 4, 8])
    options.add_argument("--cores", type=int, default=2)
    options.add_argument("--memory", type=int, default=8000, help="megabytes that all jobs together may ask for")
    chosen = options.parse_args()
    runs = {}
    for size in sorted(chosen.sizes):
        folder = chosen.folder.resolve() / f"{size:g}x"
        run(folder, size, chosen.cores, chosen.memory)
        runs[size] = measured(folder / "results")
    before, _, after = PAGE.read_text(encoding="utf-8").split(MARK)
    PAGE.write_text(before + MARK + tables(runs) + MARK + after, encoding="utf-8")


if __name__ == "__main__":
    main()
