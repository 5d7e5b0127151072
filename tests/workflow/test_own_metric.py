"""The metric that docs/workflow.md shows, as an extension; ``test_contributing`` puts it into the package."""

import re

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
