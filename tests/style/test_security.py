"""Data and config are never run: no eval, no shell, no unsafe YAML, no unpacking to disk, all HTML escaped."""

import ast

import pytest
import yaml
from snakemake_logger_plugin_truerank.failure import config_flaw

from tests.style.test_imports import MODULES, OTHERS, tree_of
from tests.support import ROOT

SOURCES = [*MODULES.values(), *OTHERS, *sorted((ROOT / "envs").glob("*.py"))]
BARRED = {
    *("eval", "exec", "compile", "__import__", "os.system", "os.popen", "yaml.load", "yaml.full_load"),
    *("yaml.unsafe_load", "pd.eval", "np.fromstring", "subprocess.getoutput", "subprocess.getstatusoutput"),
}
BARRED_METHODS = {"extractall", "extract", "query", "from_string"}  # of archives, data frames and templates


def unsafe(tree):
    """Return the calls in a syntax tree that could run data, and why."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in BARRED or (isinstance(node.func, ast.Attribute) and node.func.attr in BARRED_METHODS):
                found.append(f"line {node.lineno}: {name}")
            for keyword in node.keywords:
                if keyword.arg == "shell" and ast.unparse(keyword.value) != "False":
                    found.append(f"line {node.lineno}: shell=")
                if keyword.arg == "autoescape" and ast.unparse(keyword.value) != "True":
                    found.append(f"line {node.lineno}: autoescape=")
            if name == "Environment" and "autoescape" not in {keyword.arg for keyword in node.keywords}:
                found.append(f"line {node.lineno}: a template environment that does not escape")
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_runs_data(path):
    assert not unsafe(tree_of(path))


def test_rules_have_scripts_and_no_shell_commands():
    for path in [ROOT / "Snakefile", *sorted((ROOT / "workflow" / "rules").glob("*.smk"))]:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        assert not [line for line in lines if line.startswith(("shell:", "run:"))], path.name


@pytest.mark.parametrize(
    "bad",
    ["eval(x)", "yaml.load(f)", "run(x, shell=True)", "archive.extractall()", "Environment()", "frame.query(x)"],
)
def test_the_test_sees_what_is_barred(bad):
    assert unsafe(ast.parse(bad))


def test_a_config_cannot_name_code(tmp_path):
    """A tag that would call a function is an error of YAML's, told in a sentence."""
    path, proof = tmp_path / "study.yaml", tmp_path / "proof"
    path.write_text(f"seed: !!python/object/apply:os.mkdir ['{proof}']\n", encoding="utf-8")
    assert "not valid YAML" in config_flaw(["--configfile", str(path)])
    assert not proof.exists()
    with pytest.raises(yaml.YAMLError):
        yaml.safe_load(path.read_text(encoding="utf-8"))
