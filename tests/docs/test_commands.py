"""Every command in README and docs is one that can be given: run where that is cheap, else read by its own parser."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from snakemake.cli import parse_args
from truerank.cli import main, parted
from truerank.cli.parser import parser
from truerank.config.checks import check_config
from truerank.config.merging import merged
from truerank.launch.command import snakemake_command
from truerank.launch.config_files import config_flaw

from tests.docs.commands import PAGES, commands, commands_in
from tests.docs.example_files import write_examples
from tests.support import ROOT

WRITTEN_AFTER = ("--json", "--html", "--csv", "--latex", "--to", "--cache")
FILES = re.compile(r"\.(csv|tsv|parquet|yaml|jsonl?|trec|run|qrels)(\.gz)?$")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that pages name."""
    write_examples(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SNAKEMAKE_PROFILE", raising=False)
    return tmp_path


def read_files(words):
    """Return the files that a command reads: words that look like one, or NAME=FILE, where none is written."""
    pairs = zip(("", *words), words, strict=False)
    named = (word.rpartition("=")[2] for before, word in pairs if before not in WRITTEN_AFTER)
    return [name for name in named if FILES.search(name)]


def check_truerank(words):
    own, passed_on = parted(list(words))
    choices = parser().parse_args(own)
    if words[0] == "run":
        command = snakemake_command(choices.studies, choices.directory, choices.cores, passed_on)
        check_snakemake(command[3:])
    else:
        missing = [name for name in read_files(words) if not os.path.exists(name)]
        assert not missing, f"write {missing} in example_files.py, so that the command can be run"
        assert main(words) == 0


def check_snakemake(words):
    """Let Snakemake read its arguments, and check what it takes for config files and targets."""
    words = [str(ROOT / word) if word.startswith("workflow/") and (ROOT / word).exists() else word for word in words]
    if "--snakefile" not in words:
        words += ["--snakefile", str(ROOT / "Snakefile")]
    if "workflow/profiles/mine" in words:  # which the page tells to write
        words[words.index("workflow/profiles/mine")] = str(ROOT / "workflow" / "profiles" / "default")
    _, args = parse_args(words)
    assert not config_flaw(words)
    own = {}
    for path in args.configfile or ():
        assert Path(path).suffix == ".yaml", f"{path} is no config file"
        own |= yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    check_config(*merged(own))
    assert all(target.startswith("results/") for target in args.targets)


def check_make(words):
    done = subprocess.run(["make", "--dry-run", *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def check_python(words):
    """Ask a program for its help, and find all options there."""
    if words[0] == "-m" and words[1] == "truerank":
        return check_truerank(words[2:])
    program, rest = (words[:2], words[2:]) if words[0] == "-m" else (words[:1], words[1:])
    done = subprocess.run([sys.executable, *program, "--help"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert all(word in done.stdout for word in rest if word.startswith("--"))
    return None


def check_pip(words):
    """Check that what is installed exists: an extra of ours, a wheel, or a package of another project."""
    assert words[0] == "install"
    for word in words[1:]:
        if not word.startswith("-") and not word.endswith(".whl"):
            requirement = Requirement(word)
            assert requirement.name != "truerank" or requirement.extras <= EXTRAS.keys()


def check_uv(words):
    assert words[:2] == ["pip", "install"]


def check_conda(words):
    assert all((ROOT / word).is_file() for word in words if word.endswith(".yaml"))


def check_elsewhere(words):
    """Of git and cd, which need a network or lead to what it brought."""
    assert words


CHECKS = {
    "truerank": check_truerank,
    "snakemake": check_snakemake,
    "make": check_make,
    "python": check_python,
    "pip": check_pip,
    "uv": check_uv,
    "conda": check_conda,
    "git": check_elsewhere,
    "cd": check_elsewhere,
}


def check(command):
    program, *words = command.words
    try:
        CHECKS[program](words)
    except (Exception, SystemExit) as failure:
        raise AssertionError(f"{command}: {failure}") from failure


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_can_be_given(folder, page):
    for command in commands([page]):
        check(command)


def test_the_first_page_shows_commands_that_are_run():
    """So no file is missing from the examples, and no command is only read."""
    for command in commands([PAGES[0]]):
        if command.words[0] == "truerank" and command.words[1] != "run":
            assert read_files(command.words[1:]) or command.words[1] in ("list", "plan", "export"), command


def test_the_pages_have_commands_and_none_is_passed_over():
    found = commands()
    assert len(found) > 25
    assert {"truerank", "snakemake", "make", "python", "pip"} <= {command.words[0] for command in found}
    shown = sum(
        bool(re.match(r" {4}(\.venv/bin/)?(truerank|snakemake|make) ", line))
        for page in PAGES
        for line in page.read_text(encoding="utf-8").splitlines()
    )
    assert shown <= len(found)


@pytest.mark.parametrize(
    "line",
    [
        "snakemake --cores 2 --configfile my.yaml results/estimates/mine/last_one/draw_100/mn_mle.parquet",
        "snakemake --cores 2 --configfile none.yaml",
        "snakemake --no-such-option",
        "truerank compare --no-such-option ease.csv ials.csv",
        "truerank compare ease.csv ratings.csv",
        "truerank run no_such_study",
        "truerank run my.yaml --profile slurm",
        "make no-such-target",
        "python -m bench --no-such-option",
        "pip install 'truerank[no-such-extra]'",
    ],
)
def test_a_command_that_cannot_be_given_is_found(folder, line):
    (command,) = commands_in("page", f"Text.\n\n    .venv/bin/{line}  # a comment\n")
    with pytest.raises(AssertionError, match=r"page, line 3: "):
        check(command)


def test_the_examples_are_read(folder):
    for line in ("truerank compare ease.csv ials.csv", "truerank run my.yaml", "truerank list metrics"):
        (command,) = commands_in("page", f"```sh\n{line}\n```\n")
        check(command)
