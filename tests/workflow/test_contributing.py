"""The worked examples of CONTRIBUTING.md, in a copy of the repository, as the page says: tests, contract, a study."""

import json
import os
import re
import shutil
import subprocess
import sys

import pandas as pd
import pytest

from tests.workflow.conftest import REPOSITORY, Study
from tests.workflow.test_own_metric import shown

PAGE = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`(\S+\.py)`:\n\n```python\n(.*?)```", PAGE, re.M | re.S))
METRIC, ITS_CODE = shown()
METRIC = f"workflow/truerank/metrics/{METRIC}"
RULE = re.search(r"^At the end of `(\S+)`:\n\n```snakemake\n(.*?)```", PAGE, re.M | re.S).groups()
RESOURCES = re.search(r"^Under `set-resources` in `(\S+)`:\n\n```yaml\n(.*?)```", PAGE, re.M | re.S).groups()
PIECES = ("r_precision", "together", "posterior_mean", "json_lines", "measure_spread")


@pytest.fixture
def joined(own_workflow):
    """A copy of the repository with all examples in it, and the metric of docs/workflow.md."""
    for name in ("tests", "docs"):
        shutil.copytree(REPOSITORY / name, own_workflow / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy2(REPOSITORY / name, own_workflow / name)
    for path, code in (FILES | {METRIC: ITS_CODE}).items():
        (own_workflow / path).write_text(code, encoding="utf-8")
    rules, profile = own_workflow / RULE[0], own_workflow / RESOURCES[0]
    rules.write_text(f"{rules.read_text(encoding='utf-8')}\n\n{RULE[1]}", encoding="utf-8")
    text = profile.read_text(encoding="utf-8")
    profile.write_text(text.replace("set-resources:\n", f"set-resources:\n{RESOURCES[1]}", 1), encoding="utf-8")
    return own_workflow


def test_the_page_has_code_and_test_of_each():
    for name in PIECES:
        assert any(path.endswith(f"/{name}.py") for path in FILES), name
        assert any(path.endswith(f"/test_{name}.py") for path in FILES), name
    assert len(FILES) == 2 * len(PIECES)


def run(repository, *command):
    environment = os.environ | {"PYTHONPATH": str(repository / "workflow")}
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    return done.stdout


def test_they_pass_their_tests_the_contract_and_the_linters(joined):
    finite = "test_estimates_are_finite_one_per_repeat_and_column_and_the_same_again"
    tests = [path for path in FILES if path.startswith("tests/")]
    tests += ["tests/style/test_workflow.py", "tests/style/test_profiles.py"]
    made = "test_sources_that_have_no_data_here_can_be_made_of_what_their_schema_admits"
    tests += [f"tests/contract/test_pieces.py::{finite}[posterior_mean]"]
    tests += [f"tests/contract/test_pieces.py::{made}[json_lines]"]
    kept, metrics = "test_every_promise_is_kept", "tests/contract/test_metrics.py"
    tests += [f"tests/contract/test_models.py::{kept}[together]"]
    tests += [f"{metrics}::{kept}[{name}]" for name in ("r_precision", "rr_squared")]
    properties = re.findall(r"^def (test_\w+)", (joined / metrics).read_text(encoding="utf-8"), re.M)  # of all metrics
    tests += [f"{metrics}::{name}" for name in properties if name != kept]
    options = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile", "quick"]
    run(joined, sys.executable, "-m", "pytest", *options, *tests)
    ruff = [sys.executable, "-m", "ruff"]
    run(joined, *ruff, "check", *FILES)
    run(joined, *ruff, "format", "--check", *FILES)
    run(joined, sys.executable, "-m", "snakefmt", "--check", RULE[0])
    typed = [path for path in (*FILES, METRIC) if path.startswith("workflow/")]
    run(joined, sys.executable, "-m", "mypy", "--follow-imports=silent", *typed)


def test_a_study_uses_them(joined, tmp_path):
    folder = tmp_path / "study"
    study = Study(folder, joined)
    ratings = pd.read_csv(folder / "ratings.csv")
    rows = zip(ratings["who"], ratings["what"], ratings["stars"], strict=True)
    lines = [json.dumps({"user": user, "item": item, "rating": rating}) for user, item, rating in rows]
    (folder / "ratings.jsonl").write_text("\n".join(lines), encoding="utf-8")
    study.config["datasets"] = {"small": {"source": "json_lines", "path": "ratings.jsonl"}}
    part = {"models": ["popularity", "together"], "metrics": ["recall", "r_precision"], "cutoffs": [5]}
    study.config["select"]["ranking"] |= part
    study.done("results/meta/small/holdout/spread.parquet")
    spread = pd.read_parquet(study.results / "meta/small/holdout/spread.parquet").set_index(["metric", "k"])["spread"]
    means = pd.read_parquet(study.results / "metrics/small/holdout/summary.parquet")
    means = means.pivot(index=["metric", "k"], columns="model", values="value")
    assert set(means.columns) == {"popularity", "together"}
    assert spread.to_dict() == pytest.approx((means["together"] - means["popularity"]).abs().to_dict())
    assert spread["r_precision"].item() > 0
