"""The record of a run that had nothing to do: it answers the same question about the same files, and no other."""

import fcntl
import logging
import os
import time
from types import SimpleNamespace

import pytest
from truerank.launch import unchanged
from truerank.launch.unchanged import answered, ask, keep, listen, looked_at, question
from truerank.workflow_files import PACKAGE, PROFILES, SNAKEFILE

COMMAND = ["snakemake", "--configfile", "my.yaml"]
FILES = ("my.yaml", "mine.py", "ratings.csv", "results/table.parquet", ".snakemake/metadata/table")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder in which a run has begun that finds nothing to do."""
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    time.sleep(0.02)  # the clock of a disk has ticks
    (tmp_path / unchanged.LOCK).touch()
    return tmp_path


def record(folder):
    keep(question(COMMAND), [*FILES, "results/", "absent.yaml"])
    assert answered(COMMAND, folder)


def damage(path):
    """Write other content of the same size, and put the times back."""
    before = path.stat()
    path.write_text("?" * before.st_size)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("change", [os.utime, os.remove, damage, lambda path: path.write_text("other")])
def test_a_file_that_is_touched_deleted_damaged_or_edited_goes_to_snakemake(folder, name, change):
    record(folder)
    change(folder / name)
    assert not answered(COMMAND, folder)


def test_a_file_that_appears_goes_to_snakemake(folder):
    record(folder)
    (folder / "absent.yaml").touch()
    assert not answered(COMMAND, folder)
    (folder / "absent.yaml").unlink()
    assert answered(COMMAND, folder)
    (folder / "results/more.parquet").touch()
    assert not answered(COMMAND, folder)


def test_a_cache_that_python_adds_to_a_folder_changes_nothing(folder):
    record(folder)
    (folder / "results/__pycache__").mkdir()
    assert answered(COMMAND, folder)


def test_another_command_or_variable_goes_to_snakemake(folder, monkeypatch):
    record(folder)
    for other in (COMMAND[:-1], [*COMMAND, "--cores"], ["python", *COMMAND[1:]]):
        assert not answered(other, folder)
    for name in ("TRUERANK_DATA", "PYTHONPATH", "SNAKEMAKE_PROFILE", "HOME"):
        with monkeypatch.context() as changed:
            changed.setenv(name, "elsewhere")
            assert not answered(COMMAND, folder)
    monkeypatch.setenv("TERM", "other")
    assert answered(COMMAND, folder)


def test_a_record_that_is_damaged_or_gone_goes_to_snakemake(folder):
    record(folder)
    path = folder / unchanged.RECORD
    for content in (path.read_text()[:-9], "[]", "{}", '{"question": 1, "files": null}', ""):
        path.write_text(content)
        assert not answered(COMMAND, folder)
    path.unlink()
    assert not answered(COMMAND, folder)


def test_while_another_run_is_at_work_snakemake_answers(folder):
    record(folder)
    with open(folder / unchanged.LOCK) as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert not answered(COMMAND, folder)
    assert answered(COMMAND, folder)


def test_files_from_the_future_go_to_snakemake(folder, monkeypatch):
    record(folder)
    monkeypatch.setattr(unchanged.time, "time_ns", lambda: 0)
    assert not answered(COMMAND, folder)


def test_what_changed_while_snakemake_looked_is_not_recorded(folder):
    time.sleep(0.02)
    (folder / "my.yaml").write_text("edited")
    keep(question(COMMAND), FILES)
    assert not answered(COMMAND, folder)


def test_only_the_answer_to_the_question_of_this_process_is_recorded(folder, monkeypatch):
    monkeypatch.setattr(unchanged, "looked_at", lambda workflow: FILES)
    monkeypatch.setenv(unchanged.QUESTION, f"1:{question(COMMAND)}")
    logger = logging.Logger("snakemake", logging.INFO)
    listen(None, logger)
    assert not logger.handlers
    ask(COMMAND)
    listen(None, logger)
    logger.info("Building DAG of jobs...")
    assert not answered(COMMAND, folder)
    logger.info("Nothing to be done (all requested files are present and up to date).")
    assert answered(COMMAND, folder)


def test_artefacts_data_configs_code_and_extensions_are_looked_at(folder, monkeypatch):
    monkeypatch.setenv("TRUERANK_EXTENSIONS", str(folder / "mine.py"))
    (folder / "data").mkdir()
    (folder / "data/part.parquet").touch()
    job = SimpleNamespace(input=["data"], output=["results/table.parquet"])
    workflow = SimpleNamespace(dag=SimpleNamespace(jobs=[job]), configfiles=["my.yaml"])
    found = set(looked_at(workflow))
    assert found >= {"data/part.parquet", "results/table.parquet", "my.yaml", ".snakemake/metadata/table"}
    assert found >= {str(folder / "mine.py"), str(SNAKEFILE), str(PROFILES / "default" / "config.yaml")}
    assert found >= {str(PACKAGE / "stages" / "sample_ranks.py"), f"{PACKAGE / 'metrics'}/", logging.__file__}
