"""Extensions, with results in a bucket: welcome where jobs run on this machine, refused where they share no folder."""

import os

import pytest

from tests.cluster.s3_server import BUCKET, KEYS, Server
from tests.support import ROOT

PROFILES = ROOT / "profiles"
HERE = {
    "profile": ["--profile", PROFILES / "s3"],
    "profile with jobs": ["--profile", PROFILES / "s3", "--jobs", "2"],
    "workflow profile": ["--workflow-profile", PROFILES / "s3"],
    "options": ["--default-storage-provider", "s3"],
}
ELSEWHERE = {
    "profile": ["--profile", PROFILES / "s3", "--executor", "apart", "--jobs", "2"],
    "options": ["--default-storage-provider", "s3", "--executor", "apart", "--jobs", "2"],
    "profile of a cluster": ["--profile", PROFILES / "s3", "--executor", "slurm", "--jobs", "2"],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.kill()


@pytest.fixture
def look(study, server):
    """Return what a dry run says of a study with an extension."""
    (study.folder / "mine.py").write_text("")
    study.config["extensions"] = ["mine.py"]
    bucket = ["--default-storage-prefix", f"s3://{BUCKET}/study", "--storage-s3-endpoint-url", server.url]
    imports = os.pathsep.join([str(ROOT / "tests/cluster/apart"), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | KEYS | {"PYTHONPATH": imports}

    def run(*options):
        return study.run("results/datasets/small/summary.json", "--dry-run", *options, *bucket, env=environment)

    return run


@pytest.mark.parametrize("way", HERE)
def test_jobs_on_this_machine_see_its_folders(look, way):
    run = look(*HERE[way])
    assert run.returncode == 0, run.stderr
    assert "would run fetch_dataset" in run.stderr


@pytest.mark.parametrize("way", ELSEWHERE)
def test_jobs_elsewhere_that_share_no_folder_do_not(look, way):
    run = look(*ELSEWHERE[way])
    assert run.returncode == 1, run.stderr
    assert "truerank: extensions: jobs on other machines cannot import 'mine.py'" in run.stderr
