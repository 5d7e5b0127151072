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
        self.at_work = self.results / "logs/train_model/small/holdout/ials.log"

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

    def until_at_work(self):
        wait_for(lambda: self.at_work.exists() and self.at_work.stat().st_size, PATIENCE)


def same_as_far_as_it_went(study, local):
    """Tell whether a study that was asked for its target alone has it, and nothing that differs."""
    found = study.contents()
    return (study.folder / TARGET).exists() and found == {path: local[path] for path in found}


def test_a_study_on_the_cluster_has_the_bytes_of_a_local_run(tmp_path, local):
    study = ClusterStudy(tmp_path / "study")
    run = study.done()
    assert study.contents() == local
    assert (study.results / "report/index.html").exists()
    assert "jobs in" in run.stderr, "progress is shown as in a local run"
    if TWO_NODES:
        nodes = study.submissions()
        assert set(nodes) == {"one", "two"}
        assert len(nodes) < 10, "its 22 jobs go there in groups"
    assert "Nothing to do" in study.done().stderr


def test_a_job_whose_node_dies_is_tried_again(tmp_path, local):
    study = ClusterStudy(tmp_path / "study")
    run = study.start(TARGET)
    study.until_at_work()
    if TWO_NODES:
        subprocess.run([Path(__file__).parent / "two_nodes.sh", "restart_nodes", TWO_NODES], check=True)
    else:
        subprocess.run(["scancel", "--full", "--signal=KILL", *study.jobs()], check=True)
    run.wait(timeout=PATIENCE)
    told = (study.folder / "run.log").read_text()
    assert "train_model small/holdout/ials failed" in told
    assert run.returncode == 0, told
    assert same_as_far_as_it_went(study, local)


def test_after_the_submitting_process_is_killed_the_same_command_finishes(tmp_path, local):
    study = ClusterStudy(tmp_path / "study")
    run = study.start(TARGET)
    study.until_at_work()
    kill_tree(run)
    assert study.jobs(), "the job itself outlives it"
    study.done(TARGET)
    wait_for(lambda: not study.jobs())
    assert same_as_far_as_it_went(study, local)
    assert "Nothing to do" in study.done(TARGET).stderr


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
    assert same_as_far_as_it_went(study, local)
    assert len(list((study.results / "shards").rglob("[01].parquet"))) == 2 * len(["ranks", "lists"])
