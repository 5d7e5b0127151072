"""The small study that runs on a cluster and into a bucket, and what it gives without either."""

import subprocess

import pytest

from tests.workflow.conftest import MEASURED, Study


class LongStudy(Study):
    """A small study, one of whose jobs takes long enough to be killed at work."""

    def __init__(self, folder):
        super().__init__(folder)
        self.config["models"]["ials"]["iterations"] = 4000
        self.config["select"]["ranking"] |= {"models": ["popularity", "ials"], "metrics": ["recall", "auc"]}


@pytest.fixture(scope="session")
def local(once):
    """The artefacts of the study but its pages, run on this machine, once for the tests of SLURM and those of S3."""

    def run(folder):
        study = LongStudy(folder / "study")
        subprocess.run(study.command(*MEASURED), cwd=study.folder, check=True, capture_output=True, timeout=1800)

    return LongStudy(once("local", run) / "study").contents()
