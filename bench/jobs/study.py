"""The default study from end to end, cold and warm, and what the workflow adds to every job of it."""

import os
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import yaml
from truerank.artefacts.cost import cost_of, finished_jobs

from bench.runner import ROOT

COLD_AIM, WARM_AIM = 120, 1.5  # seconds
TINY = {
    "datasets": {"tiny": {"source": "synthetic", "users": 60, "items": 40, "interactions": 1200}},
    "select": {
        "datasets": ["tiny"],
        "ranking": {"split": "holdout", "models": ["popularity", "ials"], "metrics": ["ndcg"], "cutoffs": [10]},
    },
}


def measure(options):
    """Return rows for the study as a whole, cold and warm, for each of its stages, and for a job without work."""
    made = [] if options.size == "small" else default_study(options)
    return [*made, per_job(options)]


def default_study(options):
    folder = fresh(options.folder / "study")
    cold = run(folder, options.cores)
    options.say(f"default study, cold: {cold:.0f} s")
    warm = run(folder, options.cores)
    options.say(f"default study, warm: {warm:.1f} s")
    truerank_run(folder, options.cores)  # Snakemake's answer is recorded
    known = truerank_run(folder, options.cores)
    options.say(f"default study, warm and recorded: {known:.2f} s")
    made = [
        row("default study, cold", cold, f"<= {COLD_AIM} s", cold <= COLD_AIM),
        row("default study, warm", warm, f"<= {WARM_AIM} s", warm <= WARM_AIM),
        row("default study, warm and recorded", known, f"<= {WARM_AIM} s", known <= WARM_AIM, note="truerank run"),
    ]
    stages = per_stage(folder / "results")
    return made + [
        row(f"default study: {stage}", seconds, peak=peak, note=f"{jobs} job" + "s" * (jobs > 1))
        for stage, (jobs, seconds, peak) in stages.items()
    ]


def per_job(options):
    """Run a study whose data is too small to need time, on one core, and divide by the number of its jobs."""
    folder = fresh(options.folder / "tiny")
    (folder / "tiny.yaml").write_text(yaml.safe_dump(TINY), encoding="utf-8")
    words = ["--configfile", "tiny.yaml", "--until", "evaluate_metrics"]
    run(folder, 1, *words)  # compiles
    shutil.rmtree(folder / "results")
    whole, nothing = run(folder, 1, *words), run(folder, 1, *words)
    jobs = sum(count for count, _, _ in per_stage(folder / "results").values())
    seconds = (whole - nothing) / jobs
    options.say(f"per job: {seconds:.2f} s")
    return row("one job of the workflow without work", seconds, note=f"mean of {jobs}")


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def run(folder, cores, *words):
    """Run Snakemake in a folder, where compiled code is kept too, and return the seconds that it took."""
    snakemake = str(Path(sys.executable).with_name("snakemake"))
    command = [snakemake, "--cores", str(cores), "--snakefile", str(ROOT / "Snakefile"), "--directory", str(folder)]
    return seconds_of(folder, [*command, *words])


def truerank_run(folder, cores):
    """Run our own command in a folder and return the seconds that it took."""
    command = [sys.executable, "-m", "truerank", "run", "--cores", str(cores), "--directory", str(folder)]
    return seconds_of(folder, [*command, str(ROOT / "config.yaml")])


def seconds_of(folder, command):
    environment = os.environ | {"PYTHONPATH": str(ROOT / "workflow"), "NUMBA_CACHE_DIR": str(folder / "compiled")}
    start = time.perf_counter()
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"the study failed:\n{done.stdout}{done.stderr}")
    return time.perf_counter() - start


def per_stage(results):
    """Return stage -> number of jobs, their seconds together, and megabytes of the largest, in the order of time."""
    jobs, seconds, peak = defaultdict(int), defaultdict(float), defaultdict(float)
    for job in finished_jobs(results):
        stage = job.split("/")[0]
        took, held = cost_of(results, job)
        jobs[stage] += 1
        seconds[stage] += took
        peak[stage] = max(peak[stage], held)
    return {stage: (jobs[stage], seconds[stage], peak[stage]) for stage in jobs}


def row(job, seconds, aim=None, met=None, peak=None, note=""):
    nobody = dict.fromkeys(("peer", "peer_seconds", "ratio", "peer_spread", "peer_peak_mb"))
    nobody |= dict.fromkeys(("bound_seconds", "bound_ratio", "share"))
    ours = {"ours_seconds": seconds, "ours_spread": [seconds, seconds], "peak_mb": peak}
    return {"job": job} | nobody | ours | {"aim": aim, "met": met, "note": note}
