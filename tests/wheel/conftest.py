"""Build the wheel once, and install it beside nothing but what the core depends on."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support import ROOT

NOT_BUILT = (".*", "tests", "bench", "docs", "results", "build", "dist", "__pycache__", "*.egg-info")


class Installed:
    """An environment with the wheel; commands start in an empty folder and see no other environment."""

    def __init__(self, folder):
        self.bin, self.empty = folder / "bin", folder.parent / "empty"
        self.site = next((folder / "lib").glob("python*/site-packages"))
        self.empty.mkdir(exist_ok=True)

    def run(self, *command, cwd=None, **options):
        """Run a program of the environment; return what it did."""
        hidden = ("PYTHONPATH", "VIRTUAL_ENV", "TRUERANK_EXTENSIONS")
        environ = {name: value for name, value in os.environ.items() if name not in hidden}
        program, *arguments = map(str, command)
        options = {"capture_output": True, "text": True, "env": environ} | options
        return subprocess.run([self.bin / program, *arguments], cwd=cwd or self.empty, **options)

    def truerank(self, *arguments, **options):
        done = self.run("truerank", *arguments, **options)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The path of the wheel, built from a copy of the tree: nothing is left in the tree, and nothing of it is old."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "tree", symlinks=True, ignore=shutil.ignore_patterns(*NOT_BUILT))
    build = ["build", "--wheel", "--quiet", "--offline", "--no-build-isolation", "--out-dir", folder / "dist"]
    uv(*build, "--python", sys.executable, folder / "tree")
    (built,) = (folder / "dist").glob("*.whl")
    return built


def fresh(folder, wheel):
    """Make an environment with the wheel and nothing else."""
    venv.create(folder, with_pip=False, symlinks=True)
    installed = Installed(folder)
    uv("pip", "install", "--quiet", "--offline", "--no-deps", "--python", installed.bin / "python", wheel)
    return installed


@pytest.fixture(scope="session")
def core(wheel, tmp_path_factory):
    """A fresh environment with the wheel, and of this environment only what the wheel says that it needs."""
    installed = fresh(tmp_path_factory.mktemp("core") / "venv", wheel)
    (own,) = metadata.distributions(name="truerank", path=[str(installed.site)])
    for name in needed(own.requires):
        link_files(metadata.distribution(name), installed.site)
    return installed


@pytest.fixture(scope="session")
def everything(wheel, tmp_path_factory):
    """A fresh environment with the wheel and all packages of this environment, but not the tree."""
    installed = fresh(tmp_path_factory.mktemp("everything") / "venv", wheel)
    (installed.site / "packages.pth").write_text(sysconfig.get_path("purelib"))  # its own .pth files are not read
    return installed


def uv(*arguments):
    done = subprocess.run([sys.executable, "-m", "uv", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def needed(requirements, found=None):
    """Return the names of all distributions that some requirements ask for, without extras."""
    found = set() if found is None else found
    for requirement in map(Requirement, requirements or ()):
        if (requirement.marker is None or requirement.marker.evaluate({"extra": ""})) and requirement.name not in found:
            found.add(requirement.name)
            needed(metadata.requires(requirement.name), found)
    return found


def link_files(distribution, site):
    """Link to the folders and files of a distribution that stand in an environment's folder of packages."""
    places = {file.parts[0] for file in distribution.files if file.parts[0] not in ("..", "__pycache__")}
    for place in places:
        if not (site / place).exists():
            (site / place).symlink_to(Path(distribution.locate_file(place)))
