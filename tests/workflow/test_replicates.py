"""Replicates as ordinary jobs: other rows on another split, the same rows and another model on another training."""

import pandas as pd
import pytest


@pytest.mark.slow
def test_replicates_rerun_split_and_training(study):
    ranking = study.config["select"]["ranking"]
    ranking |= {"models": ["popularity", "ials"], "metrics": ["ndcg"], "replicates": {"splits": 2, "training": 2}}
    study.done("results/meta/small/holdout/replicates.parquet")
    meta = study.results / "meta/small/holdout"
    found = pd.read_parquet(meta / "replicates.parquet")
    assert found.columns.tolist() == ["model", "metric", "k", "split_seed", "training_seed", "value"]
    wide = found[found["k"] == "5"].pivot(index="model", columns=["split_seed", "training_seed"], values="value")
    assert wide.shape == (2, 4)
    assert wide.loc["popularity", (1, 1)] == pytest.approx(wide.loc["popularity", (1, 2)], abs=0.05), "ties alone"
    assert wide.loc["popularity", (1, 1)] != wide.loc["popularity", (2, 1)]
    assert wide.loc["ials", (2, 1)] != wide.loc["ials", (2, 2)]
    summary = pd.read_parquet(study.results / "metrics/small/holdout/summary.parquet")
    own = summary[summary["k"] == "5"].set_index("model")["value"]
    pd.testing.assert_series_equal(wide[(1, 1)], own, check_names=False, check_like=True)
    rows = {name: (study.results / "splits/small" / name / "test.parquet").read_bytes() for name in numbered()}
    first, again, other, other_again = rows.values()
    assert first == again != other == other_again
    variance = pd.read_parquet(meta / "replicate_variance.parquet")
    assert (variance.loc[variance["k"] == "5", ["users", "split", "training"]] >= 0).all(axis=None)


def numbered():
    return ["holdout", *(f"holdout/replicates/{own}" for own in ("1-2", "2-1", "2-2"))]
