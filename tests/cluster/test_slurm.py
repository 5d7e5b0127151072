"""The workflow on a real SLURM: `make test-cluster`, on the cluster that is here, or on one made by two_nodes.sh."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cluster.conftest import LongStudy
from tests.support import ROOT
from tests.workflow.conftest import kill_tree, wait_for

OPTIONS = os.environ.get("TRUERANK_CLUSTER")  # what Snakemake is given beside the profile
TWO_NODES = os.environ.get("TRUERANK_TWO_NODES")  # the folder of a cluster made by two_nodes.sh
PATIENCE = 3600  # seconds: a queue may be long
TARGET = "results/ranks/small/holdout/ials.parquet"

pytestmark = pytest.mark.skipif(OPTIONS is None, reason="tests on a SLURM cluster run with `make test-cluster`")


class ClusterStudy(LongStudy):
    """A small study whose jobs go to SLURM."""

    def __init__(self, folder):
        folder.mkdir()
        super().__init__(folder)

    def command(self, *arguments, cores=2):
        local = super().command(*arguments, cores=cores)
        return [*local, "--profile", str(ROOT / "workflow" / "profiles" / "slurm"), *shlex.split(OPTIONS)]

    def run(self, *arguments, **options):
        return super().run(*arguments, timeout=PATIENCE, **{"env": os.environ} | options)  # a process of its own

    def jobs(self):
        """Return the SLURM ids of the jobs at work in this folder."""
        query = ["squeue", "--me", "--noheader", "--states=RUNNING", "--format=%A %Z"]
        lines = subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()
        found = (line.split(maxsplit=1) for line in lines)
        return [job for job, folder in found if Path(folder).resolve() == self.folder.resolve()]

    def submissions(self):
        """Return the node of every job that this folder has sent to SLURM."""
        told = subprocess.run(["scontrol", "--oneliner", "show", "jobs"], check=True, capture_output=True, text=True)
        jobs = [dict(re.findall(r"(\w+)=(\S+)", line)) for line in told.stdout.splitlines()]
        return [job.get("NodeList") for job in jobs if job.get("WorkDir") == str(self.folder.resolve())]

    def until_written(self, log):
        """Wait until a job has something to tell."""
        path = self.results / "logs" / log
        wait_for(lambda: path.exists() and path.stat().st_size, PATIENCE)

    def let_nodes_die(self):
        if TWO_NODES:
            subprocess.run([Path(__file__).parent / "two_nodes.sh", "restart_nodes", TWO_NODES], check=True)
        else:
            subprocess.run(["scancel", "--full", "--signal=KILL", *self.jobs()], check=True)


def test_a_study_whose_submitting_process_dies_and_then_its_nodes_has_the_bytes_of_a_local_run(tmp_path, local):
    """The process dies while a group of jobs trains models, and the nodes while another one evaluates them."""
    study = ClusterStudy(tmp_path / "study")
    run = study.start()
    study.until_written("train_model/small/holdout/ials.log")
    kill_tree(run)
    assert study.jobs(), "the job itself outlives it"

    run = study.start()
    study.until_written("evaluate_shard/small/holdout/0.log")
    study.let_nodes_die()
    run.wait(timeout=PATIENCE)
    told = (study.folder / "run.log").read_text()
    assert re.search(r"(evaluate_metrics|flip_shard|test_significance) small/holdout\S* failed", told), told
    assert run.returncode == 0, told
    assert "jobs in" in told, "progress is shown as in a local run"
    assert not study.jobs()
    assert study.contents() == local
    assert (study.results / "report/index.html").exists()
    if TWO_NODES:
        nodes = study.submissions()
        assert set(nodes) == {"one", "two"}
        assert len(nodes) < 10, "its 23 jobs, some of them twice, go there in groups"
    assert "Nothing to do" in study.done().stderr


def test_a_module_of_another_workflow_runs_by_shards(tmp_path, local):
    """Rules under other names, the users in two shards, and the same bytes."""
    study = ClusterStudy(tmp_path / "study")
    study.config["shards"] = 2
    (study.folder / "Snakefile").write_text(
        f"""
module truerank:
    snakefile: "{ROOT / "Snakefile"}"
    config: config

use rule * from truerank as truerank_*

localrules: mine

rule mine:
    default_target: True
    input:
        "{TARGET}",
    output:
        "mine.txt",
    shell:
        "cp {{input}} {{output}}"
"""
    )
    study.repository = study.folder
    study.done("mine.txt", "--workflow-profile", str(ROOT / "profiles" / "default"))
    assert (study.folder / "mine.txt").read_bytes() == local[TARGET.removeprefix("results/")]
    found = study.contents()
    assert found == {path: local[path] for path in found}
    assert len(list((study.results / "shards").rglob("[01].parquet"))) == 2 * len(["ranks", "lists"])
