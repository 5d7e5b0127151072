"""Versions on a page: of packages that are there wherever pages are made."""

import re
import tomllib

from truerank.stages.software import PACKAGES, software

from tests.support import ROOT


def test_every_package_is_installed_with_the_workflow_and_its_pages():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    required = [*project["dependencies"], *extras["workflow"], *extras["report"]]
    assert set(PACKAGES) <= {re.match(r"[\w-]+", each).group() for each in required}
    assert set(software(ROOT / "Snakefile")["versions"]) == {"truerank", "python", *PACKAGES}
