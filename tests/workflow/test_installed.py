"""A piece of an installed package, by an entry point of the group ``truerank``: selected by name, run, and followed."""

import os
import textwrap

import pandas as pd
import pytest

from tests.workflow.conftest import METRICS

PACKAGE = {
    "theirs/__init__.py": "",
    "theirs/pieces.py": '''
        """A metric that nobody here has."""

        from theirs.scales import UNIT
        from truerank.metrics import PLAIN, Term, additive, any_relevant


        @additive("twice_hits", norm=any_relevant, higher_is_better=True, range=(0, float("inf")))
        def twice_hits(judged):
            """Count each relevant item among the first k places twice."""
            return Term(UNIT * judged.relevant, PLAIN)
    ''',
    "theirs/scales.py": "UNIT = 2\n",
    "theirs-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n",
    "theirs-1.0.dist-info/entry_points.txt": "[truerank]\nmetrics = theirs.pieces\n",
}


@pytest.fixture
def site(tmp_path):
    """A folder of installed packages."""
    folder = tmp_path / "site"
    for name, text in PACKAGE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(textwrap.dedent(text).lstrip())
    return folder


def test_a_study_uses_a_metric_of_an_installed_package(study, site):
    environment = os.environ | {"PYTHONPATH": str(site)}
    study.config["select"]["ranking"] |= {"models": ["popularity"], "metrics": ["precision", "twice_hits"]}
    study.done(METRICS, env=environment)
    values = pd.read_parquet(study.results / "metrics/small/holdout/per_user.parquet")
    values = values[values["twice_hits@5"].notna()]
    assert values["twice_hits@5"].sum() > 0
    assert (values["twice_hits@5"] == 2 * 5 * values["precision@5"]).all()
    assert "would run" not in study.done("--dry-run", METRICS, env=environment).stderr

    (site / "theirs" / "scales.py").write_text("UNIT = 4\n")
    again = study.done("--dry-run", METRICS, env=environment).stderr
    assert "would run evaluate_" in again, "the fingerprint follows what the piece imports"
    without = study.run("--dry-run", METRICS).stderr
    assert "unknown metric 'twice_hits'" in without
