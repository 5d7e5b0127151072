"""A study in shards of users: more jobs, the same bytes."""

from tests.workflow.conftest import DETERMINISTIC

TARGETS = [
    "results/metrics/small/holdout/per_user.parquet",
    "results/samples/small/holdout/drawn.npz",
    "results/samples/small/holdout/few.npz",
    "results/meta/small/holdout/significance.parquet",
    "results/meta/small/holdout/robustness.parquet",
]
KINDS = ("ranks", "lists", "metrics", "samples")
FOLDERS = [*DETERMINISTIC, "samples"]


def configured(study, shards):
    study.config["shards"] = shards
    study.config["samplers"] = {
        "drawn": {"kind": "draw", "negatives": 3, "repeats": 2},
        "few": {"kind": "uniform", "negatives": 3, "repeats": 2},
    }
    ranking = study.config["select"]["ranking"] | {"models": ["popularity", "item_cf_z"], "metrics": ["recall", "auc"]}
    sampling = ranking | {"samplers": ["drawn", "few"], "estimators": ["uncorrected"]}
    study.config["select"] |= {"ranking": ranking, "sampling": sampling}
    return study


def test_shards_add_jobs_and_change_no_byte(study):
    configured(study, shards=1).done(*TARGETS)
    whole = study.contents(FOLDERS)

    configured(study, shards=3)
    planned = study.done("--dry-run", *TARGETS).stderr
    jobs = [line.removeprefix("would run ").partition(":")[0] for line in planned.splitlines() if "would run" in line]
    by_shards = [job for job in jobs if "_shard " in job]
    assert len(by_shards) == 3 * (2 + 4), "ranking per model; evaluating, drawing, flipping, sweeping for all of them"
    assert not [job for job in jobs if job.startswith(("train_model", "split_interactions"))]
    assert "sample_ranks small/holdout/few" in jobs, "its ranks are made again"

    study.done(*TARGETS)
    assert study.contents(FOLDERS) == whole
    assert {path.name for path in (study.results / "shards").iterdir()} == {*KINDS, "flips", "sweeps"}


def test_estimates_from_drawn_negatives_rank_nothing(study):
    """For catalogues too large to rank: docs/scale.md."""
    target = "results/estimates/small/holdout/drawn/uncorrected.parquet"
    planned = configured(study, shards=2).done("--dry-run", target).stderr
    assert "would run draw_shard small/holdout/drawn/1" in planned
    assert "rank_" not in planned.replace("sample_ranks", "")


def test_no_number_of_shards_but_a_whole_one(study):
    study.config["shards"] = 0
    run = study.run("--dry-run")
    assert "shards is 0, expected a whole number of at least 1; correct it" in run.stderr
