"""The workflow with its results in a bucket, on an S3 server of this machine; jobs share no folder with the run."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.conftest import LongStudy
from tests.cluster.s3_server import BUCKET, KEYS, Server
from tests.cluster.snakemakes import ready_snakemake
from tests.support import ROOT
from tests.workflow.conftest import DETERMINISTIC, kill_tree, wait_for

PROGRAMS = Path(sys.executable).parent
TARGET = "results/ranks/small/holdout/ials.parquet"
LOG = "results/logs/train_model/small/holdout/ials.log"

pytestmark = pytest.mark.skipif("TRUERANK_S3" not in os.environ, reason="tests of S3 run with `make test-bucket`")


class BucketStudy(LongStudy):
    """A small study in a folder that also has the workflow, as a clone would: jobs elsewhere get it from there."""

    def __init__(self, folder, server, programs=()):
        super().__init__(folder)
        self.server = server
        self.jobs = folder / "jobs"
        self.jobs.mkdir()
        self.options = ["--default-storage-prefix", f"s3://{BUCKET}/{folder.name}"]
        self.options += ["--storage-s3-endpoint-url", server.url]
        self.environment = os.environ | KEYS | {"PATH": os.pathsep.join([*programs, str(PROGRAMS), os.environ["PATH"]])}
        self.environment |= {"TRUERANK_JOBS": str(self.jobs), "PYTHONPATH": str(ROOT / "tests/cluster/apart")}
        for name in ("workflow/rules", "workflow/scripts", "envs"):
            shutil.copytree(ROOT / name, folder / name)
        shutil.copy(ROOT / "Snakefile", folder)

    def command(self, *arguments):
        super().command()  # which writes the config
        profiles = ["--profile", str(ROOT / "profiles/s3"), "--workflow-profile", str(ROOT / "profiles/default")]
        run = [PROGRAMS / "snakemake", *arguments, "--executor", "apart", "--jobs", "3", "--configfile", "study.yaml"]
        run += ["--seconds-between-status-checks", "1"]  # a job waits for each look, and 10 is the default
        return list(map(str, [*run, *profiles, *self.options]))

    def run(self, *arguments):
        return self.told(self.command(*arguments))

    def told(self, command):
        options = {"capture_output": True, "text": True, "timeout": 1800}
        return subprocess.run(command, cwd=self.folder, env=self.environment, **options)

    def start(self):
        log = open(self.folder / "run.log", "w")  # noqa: SIM115  the child keeps it
        return subprocess.Popen(
            self.command(), cwd=self.folder, env=self.environment, stdout=log, stderr=log, start_new_session=True
        )

    def at_work(self):
        """Return the processes of the jobs that train the longest model at this moment."""
        found = []
        for log in self.jobs.glob(f"*/.snakemake/storage/s3/{BUCKET}/{self.folder.name}/{LOG}"):
            pid = int((self.jobs / log.relative_to(self.jobs).parts[0] / "job.pid").read_text())
            if log.stat().st_size and not log.with_name("seen").exists():
                found.append((pid, log))
        return found

    def until_at_work(self):
        wait_for(self.at_work, 300)
        ((pid, log),) = self.at_work()
        log.with_name("seen").touch()
        return pid

    def contents(self, folders=DETERMINISTIC):
        """Return path -> bytes of what is in the bucket and the same each time."""
        found = {path.removeprefix("results/"): held for path, held in self.server.objects(self.folder.name).items()}
        return {
            path: held
            for path, held in found.items()
            if path.partition("/")[0] in folders and not path.endswith("training.parquet")
        }


@pytest.fixture
def server(tmp_path):
    server = Server(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def study(tmp_path, server):
    """A study whose jobs find a Snakemake that starts at once."""
    with ready_snakemake() as folder:
        yield BucketStudy(tmp_path / "study", server, [folder])


def test_a_study_without_a_shared_folder_survives_the_death_of_a_job_and_of_the_server(study, server, local):
    run = study.start()
    os.killpg(study.until_at_work(), signal.SIGKILL)
    assert run.wait(timeout=1800) == 1
    assert "train_model small/holdout/ials failed" in (study.folder / "run.log").read_text()

    run = study.start()
    study.until_at_work()
    server.kill()
    kill_tree(run)  # which would ask the server for minutes
    server.restart()
    made_before = study.contents()
    assert made_before == {path: local[path] for path in made_before}
    assert "datasets/small/interactions.parquet" in made_before

    study.done()
    assert study.contents() == local
    held = server.objects("study")
    assert {"results/report/index.html", "results/report/small.html", LOG} <= held.keys()
    assert any(name.startswith("results/report/figures/small/") for name in held)
    assert not study.results.exists(), "nothing of it is here"


def test_truerank_run_takes_the_profile_by_its_name(tmp_path, server, local):
    study = BucketStudy(tmp_path / "mine", server)
    study.command()
    command = [str(PROGRAMS / "truerank"), "run", "study.yaml", "--cores", "2", "--", TARGET, "--profile", "s3"]
    run = study.told([*command, *study.options])
    assert run.returncode == 0, run.stderr
    found = study.contents()
    assert found == {path: local[path] for path in found}
    assert TARGET.removeprefix("results/") in found
    assert not study.results.exists()
