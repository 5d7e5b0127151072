"""Hooks, workflows of GitHub and `make lint` run the same tools; the workflow catalogue finds what it reads."""

import re

import pytest

from tests.support import ROOT, load_yaml

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.M))


def commands(target):
    """Return the commands of a target of the Makefile."""
    body = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.M).group(1)
    return [line.strip().removeprefix("@") for line in body.splitlines()]


def test_hooks_run_what_lint_runs_in_the_locked_versions():
    (repository,) = load_yaml(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"  # any other names versions of its own
    hooks = repository["hooks"]
    assert {hook["language"] for hook in hooks} == {"system"}
    assert [hook["entry"] for hook in hooks] == [command.removesuffix(" .") for command in commands("lint")]


def test_all_tests_run_in_two_processes_and_a_check_leaves_out_the_slow_ones():
    """So nothing is left out of what must pass before a change lands: `.ci/run`."""
    (everything,), (quick,) = commands("test"), commands("check")
    assert not {"-m", "-k", "tests/unit"} & set(everything.split()[3:])
    assert '-m "not slow"' in quick
    assert quick.endswith("tests/unit tests/style")
    for command in (everything, quick):
        assert "--numprocesses 2 --dist worksteal" in command
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert {"make env", "make test || failed=1", "make lint || failed=1"} <= set(lines)


def jobs():
    """Return the jobs of GitHub's workflows by name."""
    files = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    return {name: job for path in files for name, job in load_yaml(path)["jobs"].items()}


def test_workflows_of_github_run_targets_that_there_are():
    lines = [step["run"] for job in jobs().values() for step in job["steps"] if "run" in step]
    targets = {line.split()[1] for line in lines if line.startswith("make ")}
    assert {"lint", "test", "env", "audit"} <= targets <= TARGETS


def test_workflows_of_github_serve_every_python():
    matrix = jobs()["test"]["strategy"]["matrix"]
    assert matrix == {"os": ["ubuntu-latest", "macos-latest"], "python": ["3.11", "3.12", "3.13", "3.14"]}
    classifiers = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert classifiers == matrix["python"]


def test_the_catalogue_finds_what_it_reads():
    usage = load_yaml(ROOT / ".snakemake-workflow-catalog.yml")["usage"]
    assert usage.keys() == {"mandatory-flags", "software-stack-deployment"}
    assert usage["software-stack-deployment"]["conda"] is True
    readme = (ROOT / "README.md").read_text(encoding="utf-8").lower()
    assert "snakemake" in readme
    assert "workflow" in readme
    assert (ROOT / "Snakefile").is_file()


@pytest.mark.parametrize("page", ["config/README.md", "results/README.md"])
def test_pages_that_a_clone_shows_are_tracked(page):
    from subprocess import run

    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone")
    assert run(["git", "check-ignore", "--quiet", page], cwd=ROOT).returncode == 1


def test_the_small_study_passes_the_checks():
    from truerank.config.checks import check_config
    from truerank.config.merging import merged

    path = ROOT / ".test" / "config" / "config.yaml"
    study = load_yaml(path)
    config, sources = merged(study)
    check_config(config, [*sources, path])
    assert set(study["select"]) == {"datasets", "ranking", "sampling"}  # every chapter
