"""Run the real Snakemake on a small study, each in a folder of its own."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from truerank.stages.handing_over import FORKED

from tests.workflow.forks import server

REPOSITORY = Path(__file__).parents[2]
SNAKEMAKE = Path(sys.executable).parent / "snakemake"
DETERMINISTIC = ("datasets", "splits", "models", "ranks", "lists", "metrics", "meta", "verdict")
ALONE = {FORKED: "1"}  # in a job's environment: it starts no process that would import for later jobs
METRICS = "results/metrics/small/holdout/summary.parquet"
MEASURED = ["results/verdict/small.json"]  # all but the pages
MEASURED += [f"results/meta/small/holdout/{name}.parquet" for name in ("correlation", "migration", "groups")]


class Study:
    """A folder with a small file of ratings and a config, and the workflow to run there."""

    def __init__(self, folder, repository=REPOSITORY):
        self.folder = folder
        self.repository = repository
        self.results = folder / "results"
        folder.mkdir(exist_ok=True)
        self.config = {
            "datasets": {
                "small": {
                    "source": "file",
                    "path": "ratings.csv",
                    "columns": {"user": "who", "item": "what", "rating": "stars", "timestamp": "when"},
                }
            },
            "models": {
                "ials": {
                    "kind": "ials",
                    "factors": 4,
                    "regularisation": 10,
                    "unobserved": 0.2,
                    "iterations": 3,
                    "calibration": "isotonic",
                }
            },
            "significance": {"draws": 1000},
            "robustness": {"sparsity": [1, 0.5], "popularity": [1, 0.9], "samples": 3},
            "select": {
                "datasets": ["small"],
                "ranking": {
                    "split": "holdout",
                    "models": ["popularity", "item_cf_z", "ials"],
                    "metrics": ["precision", "recall", "ndcg", "auc"],
                    "cutoffs": [1, 5, "all"],
                },
            },
        }
        if not (folder / "ratings.csv").exists():
            write_ratings(folder / "ratings.csv")

    def command(self, *arguments, cores=2):
        (self.folder / "study.yaml").write_text(yaml.safe_dump(self.config, sort_keys=False))
        snakefile = ["--snakefile", self.repository / "Snakefile", "--directory", self.folder]
        return list(map(str, [SNAKEMAKE, *arguments, "--cores", cores, *snakefile, "--configfile", "study.yaml"]))

    def run(self, *arguments, cores=2, timeout=600, **options):
        """Run Snakemake to its end, in a fork if there are no options; what it says is in ``.stderr``."""
        command = self.command(*arguments, cores=cores)
        if not options:
            return server().run(command, self.folder, timeout, shared_starter=self.repository == REPOSITORY)
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=timeout, **options)

    def done(self, *arguments, **options):
        """Run Snakemake and require success."""
        run = self.run(*arguments, **options)
        assert run.returncode == 0, run.stderr
        return run

    def would_run(self, *targets):
        """Return the jobs that a run would start, ``rule wildcards``."""
        lines = self.done("--dry-run", *targets).stderr.splitlines()
        jobs = {line.removeprefix("would run ").partition(":")[0] for line in lines if line.startswith("would run ")}
        return jobs - {"all"}

    def shown(self, section):
        """Return what a section of the dataset's page shows, drawn here from the artefacts that it needs."""
        from truerank import report
        from truerank.config.merging import merged

        opened = report.open_study(self.results, self.config["select"]["datasets"][0], merged(self.config)[0], {})
        return getattr(report, section)(opened).html

    def start(self, *arguments):
        """Start Snakemake in a process group of its own and return the process."""
        command = self.command(*arguments)
        log = open(self.folder / "run.log", "w")  # noqa: SIM115  the child keeps it
        return subprocess.Popen(command, cwd=self.folder, stderr=log, stdout=log, start_new_session=True)

    def contents(self, folders=DETERMINISTIC):
        """Return path -> bytes of the artefacts that must be the same each time: a training curve holds seconds."""
        files = (path for folder in folders for path in (self.results / folder).rglob("*") if path.is_file())
        files = (path for path in files if path.name != "training.parquet")
        return {str(path.relative_to(self.results)): path.read_bytes() for path in files}


def write_ratings(path, users=40, items=30, seed=3):
    """Write ratings in which users of even and odd number prefer items of even and odd number."""
    draw = random.Random(seed)
    lines = ["who,what,stars,when"]
    for user in range(users):
        for item in range(items):
            if draw.random() < (0.7 if (user + item) % 2 else 0.15):
                lines.append(f"u{user},i{item},{draw.randint(1, 5)},{draw.randint(10**9, 10**9 + 10**6)}")
    path.write_text("\n".join(lines) + "\n")


def kill_tree(process):
    """Kill -9 a process and all that it started."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def wait_for(condition, seconds=120):
    """Wait until ``condition()`` is true; an outer limit, not a measurement."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


@pytest.fixture
def study(tmp_path):
    return Study(tmp_path)


@pytest.fixture(scope="session")
def finished_once(once):
    """A study that has run to its end; tests work on copies of it."""
    return Study(once("finished", lambda folder: Study(folder).done()))


@pytest.fixture
def finished(finished_once, tmp_path):
    """A copy of a finished study, with its time stamps, that a test may damage."""
    shutil.copytree(finished_once.folder, tmp_path / "study", symlinks=True)
    return Study(tmp_path / "study")


@pytest.fixture
def own_workflow(tmp_path):
    """A copy of the workflow whose code a test may edit."""
    copy = tmp_path / "repository"
    copy.mkdir()
    for name in ("Snakefile", "config.yaml"):
        shutil.copy2(REPOSITORY / name, copy / name)
    ignored = shutil.ignore_patterns("*.pyc.*", "*.egg-info")  # what Python and Numba have compiled is taken along
    for name in ("workflow", "notebooks", "envs"):
        shutil.copytree(REPOSITORY / name, copy / name, ignore=ignored, copy_function=shutil.copy2)
    (copy / "profiles").symlink_to("workflow/profiles")
    return copy
