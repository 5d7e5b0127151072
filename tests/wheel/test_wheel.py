"""The wheel alone: every command but `run` from an empty folder, with nothing installed but what the core needs."""

import json
import re
import zipfile

import pytest
import yaml
from truerank.cli.parser import COMMANDS

from tests.support import ROOT

pytestmark = pytest.mark.slow
OUTSIDE = (
    "snakemake",
    "psutil",
    "jinja2",
    "markupsafe",
    "matplotlib",
    "seaborn",
    "sklearn",
    "implicit",
    "jax",
    "pooch",
)


def test_the_wheel_has_the_workflow_and_the_tree_has_it_once(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    inside = {name.partition("/_workflow/")[2] for name in names if "/_workflow/" in name}
    patterns = ("workflow/rules/*.smk", "workflow/studies/**/*.yaml", "notebooks/*.ipynb", "workflow/report/*.rst")
    expected = {path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern)}
    expected |= {"Snakefile", "config.yaml", "envs/truerank.yaml", "workflow/scripts/run_stage.py"}
    expected |= {f"profiles/{path.parent.name}/config.yaml" for path in ROOT.glob("workflow/profiles/*/config.yaml")}
    assert inside == expected
    assert not (ROOT / "workflow" / "truerank" / "_workflow").exists()
    modules = {name for name in names if name.endswith(".py") and "/_workflow/" not in name}
    assert modules == {path.relative_to(ROOT / "workflow").as_posix() for path in packaged("*.py")}


def packaged(pattern):
    folders = (ROOT / "workflow" / name for name in ("truerank", "snakemake_logger_plugin_truerank"))
    return [path for folder in folders for path in folder.rglob(pattern)]


def test_the_environment_has_nothing_but_the_core(core):
    absent = "; ".join(f"assert find_spec({name!r}) is None" for name in OUTSIDE)
    done = core.run("python", "-c", f"from importlib.util import find_spec; {absent}")
    assert done.returncode == 0, done.stderr


def test_the_package_names_itself(core):
    version = core.truerank("--version")
    assert re.fullmatch(r"truerank \d+\.\d+\.\d+\n", version)
    assert core.run("python", "-m", "truerank", "--version").stdout == version


def test_every_command_has_help(core):
    commands = re.findall(r"^    (\w+) ", core.truerank("--help"), re.MULTILINE)
    assert set(commands) == set(COMMANDS)
    told = core.each(*([command, "--help"] for command in commands))
    assert all(usage.startswith("usage: truerank ") for usage in told)


def test_every_name_of_the_package_is_there(core):
    done = core.run("python", "-c", "import truerank as tr; print([getattr(tr, name) for name in tr.__all__])")
    assert done.returncode == 0, done.stderr


def test_the_default_study_and_the_ready_ones_pass_the_checks(core):
    program = """
import yaml
from truerank.config.checks import check_config
from truerank.config.merging import merged
from truerank.workflow_files import IS_CLONE, ready_studies
assert not IS_CLONE
for path in (None, *ready_studies().values()):
    check_config(*merged(yaml.safe_load(path.read_text()) if path else {}))
from truerank.provenance import fingerprint
print(fingerprint("train_model", "truerank.models.ials"))
"""
    done = core.run("python", "-c", program)
    assert done.returncode == 0, done.stderr
    from truerank.provenance import fingerprint

    assert done.stdout.strip() == fingerprint("train_model", "truerank.models.ials")


def test_correct_plan_and_compare(core, tmp_path):
    (tmp_path / "ranks.csv").write_text("rank\n" + "\n".join(str(1 + i % 40) for i in range(300)))
    for name, shift in (("a", 0), ("b", 1)):
        rows = "\n".join(f"u{i},{(i * 7 % 10 + shift) / 20}" for i in range(50))
        (tmp_path / f"{name}.csv").write_text(f"user,value\n{rows}\n")
    correct = ["correct", "ranks.csv", "--items", 500, "--negatives", 99, "--metric", "recall@10"]
    plan, compare = ["plan", "--margin", "0.05"], ["compare", "a.csv", "b.csv", "--json", "out.json"]
    corrected, planned, _ = core.each(correct, plan, compare, cwd=tmp_path)
    assert "recall@10" in corrected
    assert "users" in planned
    (pair,) = json.loads((tmp_path / "out.json").read_text())["pairs"]
    assert pair["difference"] == pytest.approx(-0.05)


def test_export(core, tmp_path):
    told = core.truerank("export", ROOT / "tests" / "fixture" / "results", "--to", tmp_path / "out")
    assert told
    assert list((tmp_path / "out").rglob("*"))


def test_run_says_what_to_install(core):
    done = core.run("truerank", "run", "krichene2020")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("truerank: a study needs packages that are not installed here, such as snakemake; ")
    assert "pip install 'truerank[workflow,report]'" in done.stderr
    assert not list(core.empty.iterdir())


def test_list_and_init(core, tmp_path):
    kinds = ("metrics", "models", "samplers", "estimators", "datasets", "splits", "studies")
    assert all(len(told.splitlines()) > 3 for told in core.each(*(["list", kind] for kind in kinds)))
    rows = "\n".join(f"u{i % 9},i{i % 7},{1 + i % 5}" for i in range(63))
    (tmp_path / "ratings.csv").write_text(f"user,item,stars\n{rows}\n")
    core.truerank("init", "ratings.csv", cwd=tmp_path)
    assert yaml.safe_load((tmp_path / "my.yaml").read_text())["relevance"] == {"threshold": 4}


def test_the_workflow_and_its_profiles_are_found_in_the_wheel(everything):
    done = everything.run("truerank", "run", "--", "--profile", "slurm", "--dry-run")
    assert done.returncode == 0, done.stderr
    said = done.stderr
    assert "would run render_report ml-100k" in said
    inside = everything.site / "truerank" / "_workflow"
    assert (
        f"Using profiles {inside}/profiles/slurm and workflow specific profile {inside}/profiles/default" in done.stderr
    )
    link = everything.empty / ".snakemake" / "imports" / "truerank"
    assert link.samefile(everything.site / "truerank")  # what jobs in another environment import, and nothing else
