"""The workflow as `snakedeploy deploy-workflow` deploys it: a module taken from a tag of a git repository."""

import os
import shutil
import subprocess

import pytest

from tests.workflow.conftest import REPOSITORY, SNAKEMAKE, Study

pytestmark = pytest.mark.slow
WRITTEN = """\
from snakemake.utils import min_version


min_version("6.10.0")


configfile: "config/config.yaml"


# declare https://github.com/someone/truerank as a module
module truerank:
    snakefile: 
        github("someone/truerank", path="Snakefile", tag="v1.0.0")
    config:
        config


# use all rules from https://github.com/someone/truerank
use rule * from truerank
"""


@pytest.fixture
def hosted(tmp_path, monkeypatch):
    """A repository of the workflow in the place of GitHub, which git is told to find here; it has no package in it."""
    repository = tmp_path / "hosts" / "someone" / "truerank"
    for name in ("workflow/rules", "workflow/scripts", "workflow/profiles", "envs", "config"):
        shutil.copytree(REPOSITORY / name, repository / name)
    shutil.copy(REPOSITORY / "Snakefile", repository)
    for command in ("init --quiet", "add --all", "commit --quiet --message all", "tag v1.0.0"):
        who = ["-c", "user.name=someone", "-c", "user.email=someone@example.org"]
        subprocess.run(["git", *who, *command.split()], cwd=repository, check=True)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", f"url.{tmp_path / 'hosts'}/.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://github.com/")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return repository


def test_the_deployed_form_runs_without_a_change(hosted, tmp_path):
    study = Study(tmp_path / "study")
    study.command()  # which writes the config
    for name, link in (("config", "config"), ("profiles", "workflow/profiles")):  # what snakedeploy copies
        shutil.copytree(hosted / link, study.folder / name)
    shutil.move(study.folder / "study.yaml", study.folder / "config" / "config.yaml")
    (study.folder / "workflow").mkdir()
    (study.folder / "workflow" / "Snakefile").write_text(WRITTEN)
    target = "results/splits/small/holdout/summary.json"
    command = [SNAKEMAKE, "--cores", "2", target]
    run = subprocess.run(command, cwd=study.folder, capture_output=True, text=True, timeout=600, env=os.environ)
    assert run.returncode == 0, run.stderr
    assert "2 of 2 jobs" in run.stderr, "shown by the logger of the default profile, which came along"
    assert (study.folder / target).exists()


def test_the_config_that_is_deployed_is_the_default_study():
    assert (REPOSITORY / "config" / "config.yaml").read_text() == (REPOSITORY / "config.yaml").read_text()
