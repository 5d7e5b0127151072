"""Build the wheel once, and install it beside nothing but what the core depends on."""

import json
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


IN_TURN = """
import contextlib, io, json, sys
from truerank.cli import main
told = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            status = main(words)
        except SystemExit as end:  # after --help
            status = end.code
    assert not status, words
    told.append(printed.getvalue())
print(json.dumps(told))
"""


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

    def each(self, *commands, **options):
        """Run several commands of truerank in one process, which imports once; return what each printed."""
        words = json.dumps([list(map(str, command)) for command in commands])
        done = self.run("python", "-c", IN_TURN, words, **options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture(scope="session")
def wheel(once):
    """The path of the wheel, built from a copy of the tree: nothing is left in the tree, and nothing of it is old."""

    def build(folder):
        shutil.copytree(ROOT, folder / "tree", symlinks=True, ignore=shutil.ignore_patterns(*NOT_BUILT))
        options = ["--wheel", "--quiet", "--offline", "--no-build-isolation", "--out-dir", folder / "dist"]
        uv("build", *options, "--python", sys.executable, folder / "tree")

    (built,) = (once("wheel", build) / "dist").glob("*.whl")
    return built


def fresh(folder, wheel):
    """Make an environment with the wheel and nothing else, and with what Numba has compiled of the same files here."""
    venv.create(folder, with_pip=False, symlinks=True)
    installed = Installed(folder)
    uv("pip", "install", "--quiet", "--offline", "--no-deps", "--python", installed.bin / "python", wheel)
    for program in (ROOT / "workflow" / "truerank").rglob("__pycache__/*.nb[ic]"):
        source = program.parents[1] / f"{program.name.partition('.')[0]}.py"
        place = installed.site / source.relative_to(ROOT / "workflow")
        (place.parent / "__pycache__").mkdir(exist_ok=True)
        shutil.copy2(program, place.parent / "__pycache__")
        shutil.copystat(source, place)  # Numba takes a program for that of a file with the same time
    return installed


@pytest.fixture(scope="session")
def core(wheel, once):
    """A fresh environment with the wheel, and of this environment only what the wheel says that it needs."""

    def install(folder):
        installed = fresh(folder / "venv", wheel)
        (own,) = metadata.distributions(name="truerank", path=[str(installed.site)])
        for name in needed(own.requires):
            link_files(metadata.distribution(name), installed.site)

    return Installed(once("core", install) / "venv")


@pytest.fixture(scope="session")
def everything(wheel, once):
    """A fresh environment with the wheel and all packages of this environment, but not the tree."""

    def install(folder):
        installed = fresh(folder / "venv", wheel)
        (installed.site / "packages.pth").write_text(sysconfig.get_path("purelib"))  # its own .pth files are not read

    return Installed(once("everything", install) / "venv")


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
