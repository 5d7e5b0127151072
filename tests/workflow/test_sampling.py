"""A small study with a sampling part: all samplers end to end, and what runs again when something is added."""

import copy
import shutil

import numpy as np
import pyarrow.parquet as pq
import pytest
from truerank.artefacts.files import read_arrays

from tests.workflow.conftest import Study

SAMPLERS = {
    "few": {"kind": "uniform", "negatives": 5, "repeats": 6},
    "drawn": {"kind": "draw", "negatives": 5, "repeats": 6},
    "popular": {"kind": "weighted", "power": 0.5, "negatives": 5, "replace": True, "repeats": 6},
    "doubled": {"kind": "adaptive", "start": 3, "limit": 6, "repeats": 6},
    "some": {"kind": "users", "users": 10, "repeats": 6},
    "by_popularity": {"kind": "informed", "k": 5, "budget": 25, "repeats": 4},
    "by_model": {"kind": "informed", "proxy": "item_cf_z", "k": 5, "budget": 25, "audit": 0.2, "repeats": 4},
    "exactly": {"kind": "informed", "k": 5, "exact": True},
}
PAGE = "results/report/small.html"


def configured(folder):
    """Return a study that samples in every way, from 30 items."""
    study = Study(folder)
    study.config["samplers"] = copy.deepcopy(SAMPLERS)
    study.config["select"] = {
        "datasets": ["small"],
        "sampling": {
            "split": "last_one",
            "relevance": {"threshold": 1},
            "models": ["popularity", "item_cf_z"],
            "metrics": ["recall", "auc"],
            "cutoffs": [1, 5],
            "samplers": list(SAMPLERS),
            "estimators": ["uncorrected", "rank_estimate", "mn_mle", "adaptive_mle", "informed"],
        },
    }
    return study


@pytest.fixture
def sampled(once, tmp_path):
    """A copy of the study after its run."""
    ran = once("sampled", lambda folder: configured(folder).done(PAGE))
    shutil.copytree(ran, tmp_path / "study", symlinks=True)
    return configured(tmp_path / "study")


def test_from_ratings_to_judgement(sampled):
    meta = sampled.results / "meta/small/last_one"
    accuracy = pq.read_table(meta / "accuracy.parquet").to_pandas()
    pairs = set(zip(accuracy.sampler, accuracy.estimator, strict=True))
    assert pairs == {
        *((sampler, name) for sampler in ("few", "drawn") for name in ("uncorrected", "rank_estimate", "mn_mle")),
        *(("popular", name) for name in ("uncorrected", "rank_estimate")),
        ("doubled", "adaptive_mle"),
        *((sampler, "informed") for sampler in ("by_popularity", "by_model", "exactly")),
    }
    drawn = read_arrays(sampled.results / "samples/small/last_one/drawn.npz")
    assert drawn["rank"].shape == (2, 6, 40)
    popular = read_arrays(sampled.results / "samples/small/last_one/popular.npz")
    assert popular["rank_estimate"].shape == popular["rank"].shape == (2, 6, 40)
    right = (accuracy.estimator == "uncorrected") & accuracy.sampler.isin(["few", "drawn"])
    right |= (accuracy.estimator == "rank_estimate") & (accuracy.sampler == "popular")
    auc = accuracy[(accuracy.metric == "auc") & right]
    assert len(auc) == 6
    assert np.abs(auc["mean"] - auc["exact"]).max() < 0.1
    bounds = pq.read_table(meta / "bounds.parquet").to_pandas()
    assert {"few", "drawn", "popular"} <= set(bounds.sampler)
    page = (sampled.results / "report/small.html").read_text()
    assert "Pairs in the wrong order in most repeats" in page
    assert "identified: " in page
    assert sampled.would_run(PAGE) == set()

    sampled.config["select"]["sampling"]["estimators"].append("bv_01")
    assert sampled.would_run(PAGE) == {
        "estimate_metrics small/last_one/few/bv_01",
        "estimate_metrics small/last_one/drawn/bv_01",
        "judge_sampling small/last_one",
        "verdict small",
        "draw_curves small/last_one",
        "write_checklist small",
        "draw_figures small",
        "render_report small",
    }


@pytest.mark.slow
def test_a_study_with_informed_samplers(sampled):
    """By popularity and by a model, within a budget and exactly: tables, cost and the picture of the page."""
    meta = sampled.results / "meta/small/last_one"
    names = ("accuracy", "cost", "order", "winner")
    tables = {name: pq.read_table(meta / f"{name}.parquet").to_pandas() for name in names}
    for name in ("accuracy", "order", "winner"):
        informed = tables[name][tables[name].estimator == "informed"]
        assert set(informed.sampler) == {"by_popularity", "by_model", "exactly"}
        assert set(informed.metric + "@" + informed.k) == {"recall@1", "recall@5"}
    exactly = tables["accuracy"][tables["accuracy"].sampler == "exactly"]
    assert np.abs(exactly["mean"] - exactly["exact"]).max() < 1e-12
    cost = tables["cost"].set_index(["sampler", "model"])
    assert (cost.loc[["by_popularity", "by_model"], "per_instance"] <= 26).all()
    assert (cost.loc["exactly", "share"] < 1).all()
    page = (sampled.results / "report/small.html").read_text()
    assert "error_by_cost" in page
    assert "Dotted: every rank up to @5 is known" in page
    assert "informed by item_cf_z" in page

    sampled.config["samplers"]["by_model"]["proxy"] = "ease"
    run = sampled.run("--dry-run")
    assert "samplers.by_model.proxy: unknown proxy 'ease'; expected one of: item_cf_z, popularity" in run.stderr
