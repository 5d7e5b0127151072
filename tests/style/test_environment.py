"""One lock for everybody, and a clear sentence where it cannot be installed."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ENVS = Path(__file__).parents[2] / "envs"


def load(name):
    spec = importlib.util.spec_from_file_location(name, ENVS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def install(tmp_path, monkeypatch):
    """The installer, with a .venv of its own to fail in."""
    module = load("install")
    monkeypatch.setattr(module, "VENV", str(tmp_path / ".venv"))
    monkeypatch.setattr(module, "STAMP", str(tmp_path / ".venv" / "stamp"))
    (tmp_path / ".venv").mkdir()
    return module


def test_conda_pins_are_those_of_the_lock():
    lock = load("lock")
    assert lock.CONDA.read_text(encoding="utf-8") == lock.conda_file(), "run: make lock"
    assert {"snakemake", "numpy", "papermill", "seaborn"} <= set(lock.pins())


def test_lock_covers_what_the_project_asks_for():
    import tomllib

    project = tomllib.loads((ENVS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(name for extra in project["optional-dependencies"].values() for name in extra)]
    asked = [requirement for requirement in map(Requirement, asked) if requirement.name != project["name"]]
    pins = {name.lower(): version for name, version in load("lock").pins().items()}
    assert len(asked) > 30
    for requirement in asked:
        assert requirement.specifier.contains(pins[requirement.name.lower()]), "run: make lock"


def test_what_users_install_has_lower_bounds_and_the_core_is_small():
    import tomllib

    project = tomllib.loads((ENVS.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name: some for name, some in project["optional-dependencies"].items() if name not in ("dev", "all")}
    assert extras.keys() == {"neural", "report", "s3", "workflow"}
    assert project["optional-dependencies"]["all"] == ["truerank[neural,report,s3,workflow]"]
    for requirement in map(
        Requirement, [*project["dependencies"], *(name for some in extras.values() for name in some)]
    ):
        assert [each.operator for each in requirement.specifier] == [">="], requirement
    core = {Requirement(text).name for text in project["dependencies"]}
    allowed = {"jsonschema", "numba", "numpy", "pandas", "pyarrow", "pyyaml", "scipy"}
    assert core == allowed | {"threadpoolctl"}  # by which matrix products give the same bytes on any number of cores


def test_lock_has_hashes_and_names_no_host():
    text = (ENVS / "requirements.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    pins, hashes = text.count("=="), text.count("--hash=sha256:")
    assert hashes > pins > 100


def test_old_python_is_told_in_a_sentence(install, monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(sys, "version", "3.9.2 (default)")
    with pytest.raises(SystemExit, match=r"Python 3\.11 or newer is needed, and .* is Python 3\.9\.2; install"):
        install.main()


def test_missing_venv_module_is_told_in_a_sentence(install, monkeypatch):
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 1, "", "no ensurepip"))
    with pytest.raises(SystemExit, match=r"cannot make a virtual environment .* apt install python3-venv"):
        install.main()


def test_an_environment_behind_a_link_is_not_emptied(install, tmp_path):
    theirs = tmp_path / "theirs"
    (tmp_path / ".venv").rename(theirs)
    (theirs / "pyvenv.cfg").write_text("of another checkout")
    (tmp_path / ".venv").symlink_to(theirs)
    with pytest.raises(SystemExit, match=r"\.venv is a link to .*theirs, .* remove the link and run: make env"):
        install.main()
    assert (theirs / "pyvenv.cfg").read_text() == "of another checkout"


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [("Could not find a version", "check the network"), ("[Errno 28] No space left on device", "the disk is full")],
)
def test_failed_installation_is_told_in_a_sentence(install, monkeypatch, printed, sentence):
    def fail(command):
        raise subprocess.CalledProcessError(1, command, output=printed)

    monkeypatch.setattr(install, "make_venv", lambda: "python")
    monkeypatch.setattr(install, "run", fail)
    with pytest.raises(SystemExit, match=sentence):
        install.main()
    assert not Path(install.STAMP).exists()


def test_nothing_is_done_when_nothing_changed(install, monkeypatch):
    Path(install.STAMP).write_text(install.wanted_stamp())
    monkeypatch.setattr(install, "make_venv", lambda: pytest.fail("it was installed again"))
    assert install.main() is None
