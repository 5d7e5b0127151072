"""How many submissions a cluster gets for the default study: a group is one."""

import json
import subprocess
import sys

import pytest

from tests.workflow.conftest import REPOSITORY

pytestmark = pytest.mark.slow
COUNT = """
import json, sys
from snakemake.cli import main
from snakemake.dag import DAG

update_groups = DAG.update_groups

def count(dag):
    update_groups(dag)
    jobs = [job for job in dag.needrun_jobs() if not job.is_norun]
    groups = {id(dag.get_job_group(job)) for job in jobs if dag.get_job_group(job)}
    alone = [job.rule.name for job in jobs if not dag.get_job_group(job)]
    told.write(json.dumps([len(jobs), len(groups) + len(alone), alone]) + "\\n")

DAG.update_groups = count
told, sys.stdout = sys.stdout, sys.stderr
main(sys.argv[1:])
"""


def submissions(folder, *options):
    """Return the number of jobs, of submissions, and the rules of those that are alone."""
    profile = REPOSITORY / "workflow" / "profiles" / "slurm"
    command = ["--dry-run", "--snakefile", REPOSITORY / "Snakefile", "--directory", folder, "--profile", profile]
    run = subprocess.run([sys.executable, "-c", COUNT, *command, *options], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def test_the_default_study_is_tens_of_submissions(tmp_path):
    jobs, submitted, alone = submissions(tmp_path)
    assert jobs > 100
    assert submitted < 40
    assert {"train_model", "rank_shard", "evaluate_shard"}.isdisjoint(alone)


def test_shards_are_there_to_run_side_by_side(study):
    study.config["shards"] = 2
    study.command()  # writes the config
    _, _, alone = submissions(study.folder, "--configfile", study.folder / "study.yaml")
    assert {"train_model", "rank_shard", "rank_items", "evaluate_shard"} <= set(alone)
    assert {"split_interactions", "render_report"}.isdisjoint(alone)
