"""Put the workflow's own files into the wheel, inside the package; all else about it is in pyproject.toml.

In the tree they stay where people and Snakemake look for them; ``truerank.workflow_files`` finds either place.
"""

from pathlib import Path
from shutil import rmtree

from setuptools import setup
from setuptools.command.build_py import build_py

PLACE = "truerank/_workflow"
PATTERNS = (
    "Snakefile",
    "config.yaml",
    "envs/truerank.yaml",
    "notebooks/*.ipynb",
    "profiles/*/config.yaml",
    "workflow/report/*.rst",
    "workflow/rules/*.smk",
    "workflow/scripts/*.py",
    "workflow/studies/*.yaml",
    "workflow/studies/overlays/*.yaml",
    "workflow/studies/published/*.yaml",
)


def workflow_files():
    """Return the place of every file in the wheel, and its path in the tree."""
    found = {}
    for pattern in PATTERNS:
        matching = sorted(path.as_posix() for path in Path().glob(pattern))
        assert matching, f"no file is called {pattern}"
        found |= {f"{PLACE}/{path}": path for path in matching}
    return found


class BuildWithWorkflow(build_py):
    """Build the packages, and the workflow's files beside them; an editable install has the tree itself."""

    def run(self):
        if not self.editable_mode:
            rmtree(self.build_lib, ignore_errors=True)  # what an earlier version had would be in the wheel
        super().run()
        for target, source in self.placed().items():
            self.mkpath(str(Path(target).parent))
            self.copy_file(source, target)

    def placed(self):
        return {} if self.editable_mode else {f"{self.build_lib}/{k}": path for k, path in workflow_files().items()}

    def get_outputs(self, include_bytecode=True):
        return [*super().get_outputs(include_bytecode), *self.placed()]

    def get_output_mapping(self):
        return {**super().get_output_mapping(), **self.placed()}

    def get_source_files(self):
        return [*super().get_source_files(), *workflow_files().values()]


setup(cmdclass={"build_py": BuildWithWorkflow})
