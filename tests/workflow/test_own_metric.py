"""A metric of one's own is one file: the one that docs/workflow.md shows, put where it says, selected and run."""

import re

import pyarrow.parquet as pq

from tests.workflow.conftest import REPOSITORY, Study


def test_the_metric_that_the_documentation_shows(own_workflow, tmp_path):
    text = (REPOSITORY / "docs/workflow.md").read_text(encoding="utf-8")
    path, code = re.search(r"`(workflow/truerank/metrics/\w+\.py)`:\n\n```python\n(.*?)```", text, re.DOTALL).groups()
    (own_workflow / path).write_text(code, encoding="utf-8")
    folder = tmp_path / "study"
    folder.mkdir()
    study = Study(folder, own_workflow)
    study.config["metrics"] = {"two_hits": {"kind": "hit", "at_least": 2}}
    study.config["select"]["ranking"] |= {"models": ["popularity"], "metrics": ["recall", "hit", "two_hits"]}
    study.done("results/metrics/small/holdout/per_user.parquet")
    values = pq.read_table(study.results / "metrics/small/holdout/per_user.parquet").to_pandas()
    defined = values[values["recall@all"].notna()]
    assert len(defined) > 20
    assert (defined["hit@5"] == (defined["recall@5"] > 0)).all()
    assert (defined["two_hits@all"] <= defined["hit@all"]).all()
    assert values["hit@5"].isna().equals(values["recall@5"].isna())
