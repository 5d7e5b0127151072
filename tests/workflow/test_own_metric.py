"""A metric of one's own is one file: the one that docs/workflow.md shows, used as an extension and in the package."""

import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pyarrow.parquet as pq

from tests.workflow.conftest import REPOSITORY


def shown():
    """Return the name and the code of the file in docs/workflow.md."""
    text = (REPOSITORY / "docs/workflow.md").read_text(encoding="utf-8")
    return re.search(r"`(\w+\.py)`:\n\n```python\n(.*?)```", text, re.DOTALL).groups()


def test_the_metric_that_the_documentation_shows(study):
    name, code = shown()
    (study.folder / name).write_text(code, encoding="utf-8")
    study.config["extensions"] = [name]
    study.config["select"]["ranking"] |= {"models": ["popularity"], "metrics": ["rr", "rr_squared"]}
    study.done("results/metrics/small/holdout/per_user.parquet")
    values = pq.read_table(study.results / "metrics/small/holdout/per_user.parquet").to_pandas()
    defined = values[values["rr@all"].notna()]
    assert len(defined) > 20
    assert np.allclose(defined["rr_squared@5"], defined["rr@5"] ** 2, rtol=1e-12)
    assert values["rr_squared@5"].isna().equals(values["rr@5"].isna())


def test_it_passes_the_contract_as_it_is(own_workflow):
    """Pasted into the package, it is tested with all others, and nothing else is edited."""
    (own_workflow / "workflow/truerank/metrics/rr_squared.py").write_text(shown()[1], encoding="utf-8")
    shutil.copytree(REPOSITORY / "tests", own_workflow / "tests", ignore=shutil.ignore_patterns("__pycache__"))

    def python(*arguments):
        environment = os.environ | {"PYTHONPATH": str(own_workflow / "workflow")}
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=own_workflow, capture_output=True, text=True, env=environment)

    assert python("-c", "from truerank.registry import METRICS; METRICS['rr_squared']").returncode == 0
    options = ["--hypothesis-profile", "quick", "-k", "rr_squared or not test_every_promise_is_kept"]
    run = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/contract/test_metrics.py", *options)
    assert run.returncode == 0, run.stdout[-3000:]
