"""Data and config are never run: no eval, no shell, no unsafe YAML, no pickle, no unpacking to disk, all HTML escaped.

Rules of ruff, named in pyproject.toml, see most of it; what no rule sees is read here.
"""

import ast
import subprocess
import sys

import pytest
import yaml
from truerank.launch.config_files import config_flaw

from tests.style.test_imports import MODULES, OTHERS, tree_of
from tests.support import ROOT

SOURCES = [*MODULES.values(), *OTHERS, *sorted((ROOT / "envs").glob("*.py"))]
BARRED = {"compile", "__import__"}
BARRED_METHODS = {"extractall", "extract", "query", "from_string", "to_pickle"}  # of archives, data frames, templates
ONLY = {"shell": "False", "autoescape": "True", "allow_pickle": "False"}  # what a keyword of a call must be
REQUIRED = {"np.load": "allow_pickle", "np.savez": "allow_pickle"}


def unsafe(tree):
    """Return the calls in a syntax tree that could run data, and why."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in BARRED_METHODS:
            found.append(f"line {node.lineno}: .{node.attr}")
        if isinstance(node, ast.Call):
            name, keywords = (
                ast.unparse(node.func),
                {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords},
            )
            if name in BARRED:
                found.append(f"line {node.lineno}: {name}")
            if name in REQUIRED and REQUIRED[name] not in keywords:
                found.append(f"line {node.lineno}: {name} without {REQUIRED[name]}")
            found += [f"line {node.lineno}: {key}=" for key, value in ONLY.items() if keywords.get(key, value) != value]
    return found


def test_nothing_runs_data():
    found = {str(path): unsafe(tree_of(path)) for path in SOURCES}
    assert not {path: calls for path, calls in found.items() if calls}


def test_the_test_sees_what_is_barred():
    for bad in (
        *("compile(x)", "__import__(x)", "archive.extractall()", "archive.extract(x)", "frame.query(x)"),
        *("environment.from_string(x)", "frame.to_pickle(x)", "run(x, shell=y)", "Environment(autoescape=x)"),
        *("np.load(x)", "np.savez(x)", "np.load(x, allow_pickle=True)"),
    ):
        assert unsafe(ast.parse(bad)), bad


def test_ruff_sees_what_is_barred():
    """Each line breaks the rule that stands behind it."""
    bad = {
        "from os.path import *": "F403",
        "from . import x": "TID252",
        **dict.fromkeys([f"import {name}" for name in ("pickle", "dill", "joblib", "random", "secrets")], "TID251"),
        **dict.fromkeys([f"import {name}" for name in ("cPickle", "cloudpickle", "shelve", "marshal")], "TID251"),
        **dict.fromkeys(["from random import x", "pd.eval(x)", "np.fromstring(x)"], "TID251"),
        **dict.fromkeys(["yaml.full_load(x)", "yaml.unsafe_load(x)"], "TID251"),
        "eval(x)": "S307",
        "exec(x)": "S102",
        "pd.read_pickle(x)": "S301",
        "yaml.load(x)": "S506",
        "subprocess.run(x, shell=True)": "S602",
        "run(x, shell=True)": "S604",
        **dict.fromkeys(["os.system(x)", "os.popen(x)"], "S605"),
        **dict.fromkeys(["subprocess.getoutput(x)", "subprocess.getstatusoutput(x)"], "S605"),
        "Environment()": "S701",
        "np.random.seed(x)": "NPY002",
    }
    head = [
        "import os, subprocess, yaml",
        "import numpy as np",
        "import pandas as pd",
        "from jinja2 import Environment",
    ]
    command = [sys.executable, "-m", "ruff", "check", "--output-format", "concise"]
    command += ["--stdin-filename", ROOT / "workflow" / "truerank" / "bad.py", "-"]
    told = subprocess.run(command, input="\n".join([*head, *bad]), capture_output=True, text=True, cwd=ROOT).stdout
    for line, (code, rule) in enumerate(bad.items(), len(head) + 1):
        assert any(f"bad.py:{line}:" in each and f" {rule} " in each for each in told.splitlines()), (code, told)


def test_rules_have_scripts_and_no_shell_commands():
    for path in [ROOT / "Snakefile", *sorted((ROOT / "workflow" / "rules").glob("*.smk"))]:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        assert not [line for line in lines if line.startswith(("shell:", "run:"))], path.name


def test_a_config_cannot_name_code(tmp_path):
    """A tag that would call a function is an error of YAML's, told in a sentence."""
    path, proof = tmp_path / "study.yaml", tmp_path / "proof"
    path.write_text(f"seed: !!python/object/apply:os.mkdir ['{proof}']\n", encoding="utf-8")
    assert "not valid YAML" in config_flaw(["--configfile", str(path)])
    assert not proof.exists()
    with pytest.raises(yaml.YAMLError):
        yaml.safe_load(path.read_text(encoding="utf-8"))
