"""The command of Snakemake that `truerank run` becomes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from snakemake.cli import parse_args
from truerank.errors import UserError
from truerank.launch import command as module
from truerank.launch.command import check_installed, snakemake_command, study_path
from truerank.workflow_files import OVERLAYS, PROFILES, SNAKEFILE, STUDIES


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def parsed(*arguments, **options):
    """Return what Snakemake makes of a command: the study of some arguments."""
    return parse_args(snakemake_command(*arguments, **options)[3:])[1]


def test_nothing_runs_the_default_study_here_on_all_cores():
    args = parsed([])
    assert Path(args.snakefile) == SNAKEFILE
    assert args.directory == Path.cwd()
    assert not args.configfile
    assert args.cores == os.cpu_count()
    assert args.logger == ["truerank"]  # of the default profile


def test_targets_are_not_read_as_config_files(folder):
    for name in ("a.yaml", "b.yaml"):
        (folder / name).write_text("seed: 1\n")
    args = parsed(["a.yaml", "b.yaml"], cores="2", options=["results/report/index.html", "-n"])
    assert [Path(path).name for path in args.configfile] == ["a.yaml", "b.yaml"]
    assert args.targets == {"results/report/index.html"} or args.targets == ["results/report/index.html"]
    assert args.cores == 2
    assert args.dryrun


def test_names_are_those_of_ready_studies_unless_there_is_such_a_file(folder):
    assert study_path("krichene2020") == STUDIES / "krichene2020.yaml"
    (folder / "krichene2020").write_text("seed: 1\n")
    assert study_path("krichene2020") == Path("krichene2020")
    (folder / "li2020").mkdir()
    assert study_path("li2020") == STUDIES / "li2020.yaml"
    with pytest.raises(UserError, match=r"'krichene' is neither a file nor a ready study \(aftab2022, krichene2020, "):
        study_path("krichene")


def test_an_overlay_is_found_by_name_and_comes_after_a_study(folder):
    args = parsed(["li2024", "li2024-yelp"])
    assert [Path(path) for path in args.configfile] == [STUDIES / "li2024.yaml", OVERLAYS / "li2024-yelp.yaml"]
    (folder / "mine.yaml").write_text("seed: 1\n")
    assert len(parsed(["mine.yaml", "li2024-yelp"]).configfile) == 2
    told = "li2024-yelp changes a study, which comes before it; write: truerank run li2024 li2024-yelp"
    with pytest.raises(UserError, match=told):
        parsed(["li2024-yelp"])


@pytest.mark.parametrize("options", [["--profile", "slurm"], ["--profile=slurm"], ["--profile", "slurm", "-n"]])
def test_profiles_are_found_by_name_and_bring_their_own_number_of_jobs(options):
    args = parsed([], options=options)
    assert args.executor == "slurm"
    assert args.jobs == 100
    assert str(PROFILES / "slurm") in args.profile


@pytest.mark.parametrize("options", [["--profile", "s3"], ["--profile=s3"]])
def test_a_profile_that_leaves_jobs_on_this_machine_gets_all_its_cores(options):
    command = snakemake_command([], options=options)
    assert command[command.index("--cores") + 1] == "all"
    assert "--cores" not in snakemake_command([], options=[*options, "--executor", "slurm"])


def test_a_profile_of_the_users_comes_first(folder):
    (folder / "slurm").mkdir()
    (folder / "slurm" / "config.yaml").write_text("jobs: 7\n")
    assert parsed([], options=["--profile", "slurm"]).jobs == 7


@pytest.mark.parametrize("options", [["-c", "3"], ["-c3"], ["--cores", "3"], ["--cores=3"], ["-j3"]])
def test_cores_may_be_given_either_way(options):
    args = parsed([], options=options)
    assert 3 in (args.cores, args.jobs)


@pytest.mark.parametrize("option", ["--configfile", "--directory=x", "-d"])
def test_what_belongs_before_the_dashes_is_told(option):
    with pytest.raises(UserError, match="is after --; write: truerank run"):
        snakemake_command([], options=[option, "x"])


def test_a_missing_package_is_told_with_what_to_install(monkeypatch):
    check_installed()
    monkeypatch.setattr(module, "NEEDED", ("numpy", "no_such_package"))
    with pytest.raises(UserError, match=r"such as no_such_package; install them: pip install 'truerank\[workflow,rep"):
        check_installed()


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["no.yaml"], 1, "truerank: no.yaml cannot be read: no such file"),
        (["--cores", "0"], 2, "argument --cores: '0' is neither a whole number from 1 on nor all"),
        (["--profile", "slurm"], 2, "unrecognized arguments: --profile"),
        (["--directory", "file/below"], 1, "truerank: file/below cannot be created: not a directory"),
    ],
)
def test_a_mistake_is_told_before_snakemake_starts(folder, arguments, status, told):
    (folder / "file").write_text("")
    done = subprocess.run([sys.executable, "-m", "truerank", "run", *arguments], capture_output=True, text=True)
    assert done.returncode == status
    assert told in done.stderr
    assert "Traceback" not in done.stderr
