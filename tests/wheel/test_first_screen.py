"""Every line of the first page that needs no study, with the wheel and nothing but the core."""

import json

import pandas as pd
import pytest

from tests.docs.commands import commands
from tests.docs.example_files import write_examples
from tests.support import ROOT

pytestmark = pytest.mark.slow
PAGE = ROOT / "README.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("examples")
    write_examples(path)
    return path


def python_block():
    """Return the lines of Python that the page shows."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = lines.index("    import truerank as tr")
    end = lines.index("", start)
    return [line.removeprefix("    ") for line in lines[start:end]]


def test_the_lines_of_shell(core, folder):
    shown = [command.words[1:] for command in commands([PAGE]) if command.words[0] == "truerank"]
    names = {words[0] for words in shown}
    assert {"compare", "init", "run"} <= names
    for words in shown:
        if words[0] != "run":
            assert core.truerank(*words, cwd=folder)
    assert "recall" in (folder / "out.html").read_text(encoding="utf-8")
    assert (folder / "study.yaml").is_file()


def test_the_lines_of_python(core, folder):
    block = python_block()
    assert len(block) == 3
    done = core.run("python", "-c", "\n".join(block), cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "p_value" in done.stdout


def test_all_other_commands(core, folder):
    sampled = ["ranks.csv", "--items", "3706", "--negatives", "100", "--metric", "hr@10", "--json"]
    core.each(
        ["evaluate", "run_a.csv", "--test", "test.csv", "--metric", "ndcg@10", "--per-user", "v.csv"],
        ["rank", "scores.csv", "--train", "train.csv", "--test", "test.csv", "--csv", "r.csv"],
        ["trial", "per_user.csv", "--json", "t.json"],
        ["bounds", *sampled, "bounds.json"],
        ["correct", *sampled, "estimates.json"],
        cwd=folder,
    )
    assert len(pd.read_csv(folder / "v.csv")) == 40
    assert list(pd.read_csv(folder / "r.csv")) == ["user", "item", "rank", "candidates"]
    assert "verdict" in json.loads((folder / "t.json").read_text())
    for table in ("bounds", "estimates"):
        assert json.loads((folder / f"{table}.json").read_text())[table][0]["metric"] == "hit"
