"""What rules say they read and write becomes paths, receipts, settings and targets."""

import inspect

import pytest
from truerank.config.rules import Rules
from truerank.config.study import Study

from tests.support import default_study

WILDCARDS = {"dataset": "ml-100k", "split": "last_one", "sampler": "uniform_100", "estimator": "mle"}


@pytest.fixture
def study():
    config = default_study()
    config["shards"] = 3
    return Study(config)


@pytest.fixture
def rules(study):
    """Four rules: of a split, of models by shards, of models, and of the sampling part."""
    rules = Rules(study, keep=str)
    rules.writes("split", train="splits/{dataset}/{split}.parquet")
    rules.writes("part", ranks_of="shards/{dataset}/{split}/{model}/{shard}.parquet")
    rules.writes(
        "rank", ranks="ranks/{dataset}/{split}/{model}.parquet", lists="lists/{dataset}/{split}/{model}.parquet"
    )
    rules.writes("fit", within="fits", fit="fits/{dataset}/{split}/{sampler}/{estimator}.npz")
    return rules


def given(*names):
    return {name: WILDCARDS[name] for name in names}


def test_a_rule_has_one_receipt_that_says_what_the_job_is(rules):
    assert rules.writes("mine", table="meta/{dataset}/{split}/table.parquet") == {
        "table": "meta/{dataset}/{split}/table.parquet",
        "receipt": "results/receipts/mine/{dataset}/{split}.json",
    }
    assert rules.log_of("mine") == "results/logs/mine/{dataset}/{split}.log"
    assert rules.benchmark_of("mine") == "results/benchmarks/mine/{dataset}/{split}.tsv"
    assert rules.writes("all_of_it", page="index.html")["receipt"] == "results/receipts/all_of_it.json"


def test_two_rules_cannot_write_one_artefact(rules):
    with pytest.raises(ValueError, match="two rules write 'train'"):
        rules.writes("other", train="other/{dataset}.parquet")


def test_an_artefact_is_one_path_where_the_rule_has_its_wildcards_else_all(rules, study):
    reads = rules.reads("train", "ranks", "ranks_of")
    wildcards = given("dataset", "split")
    assert reads["train"](wildcards) == "splits/ml-100k/last_one.parquet"
    models = study.model_names("last_one", "ml-100k")
    assert reads["ranks"](wildcards) == [f"ranks/ml-100k/last_one/{model}.parquet" for model in models]
    wildcards["model"] = models[0]
    assert reads["ranks"](wildcards) == f"ranks/ml-100k/last_one/{models[0]}.parquet"
    shards = [f"shards/ml-100k/last_one/{models[0]}/{shard}.parquet" for shard in range(3)]
    assert reads["ranks_of"](wildcards) == shards
    assert reads["receipts"](wildcards) == [
        "results/receipts/split/ml-100k/last_one.json",
        f"results/receipts/rank/ml-100k/last_one/{models[0]}.json",
        *(f"results/receipts/part/ml-100k/last_one/{models[0]}/{shard}.json" for shard in range(3)),
    ]


def test_what_no_job_of_the_study_writes_is_not_read(rules):
    reads = rules.reads("fit", ranks="simulated")
    assert reads["fit"](WILDCARDS | {"estimator": "uncorrected"}) == []
    assert reads["fit"](WILDCARDS) == "fits/ml-100k/last_one/uniform_100/mle.npz"
    assert reads["ranks"](given("dataset", "split", "sampler"))
    assert reads["ranks"](given("dataset", "split") | {"sampler": "draw_100"}) == []
    assert rules.reads(fit=lambda wildcards: None)["fit"](WILDCARDS) == []


def test_targets_are_all_that_is_declared_but_shards(rules):
    targets = rules.targets()
    assert "splits/ml-100k/holdout.parquet" in targets
    assert "results/receipts/split/ml-100k/last_one.json" in targets
    assert "fits/ml-100k/last_one/uniform_100/mle.npz" in targets
    assert not [path for path in targets if "shards/" in path or "/part/" in path]
    assert len(targets) == len(set(targets))


def test_settings_come_from_the_study_with_the_code_of_their_pieces(rules, study):
    settings = rules.settings("estimate_metrics", "estimator", "seed", metrics="sampled_metrics")
    assert settings["stage"] == "estimate_metrics"
    assert settings["estimator"](WILDCARDS) == study.estimator("mle")
    assert settings["metrics"](WILDCARDS) == study.sampled_metrics
    assert settings["seed"](WILDCARDS) == study.config["seed"]
    codes = {name: settings["code"](WILDCARDS | {"estimator": name}) for name in ("mle", "mes", "uncorrected")}
    assert len(set(codes.values())) == 3


def test_untracked_settings_are_functions_that_snakemake_takes_for_derived(rules):
    settings = rules.settings("split_interactions", "seed", untracked=["relevance"])
    assert list(inspect.signature(settings["relevance"]).parameters) == ["wildcards", "input"]
    assert settings["relevance"](WILDCARDS, input=None) == {"threshold": 1}


def test_replicates_share_one_search_and_an_estimator_asks_for_the_fit_that_it_needs(study):
    tuned = study.tuned_once({"split": "holdout/replicates/2-1", "model": "ials"})
    assert tuned == {"split": "holdout", "model": "ials"}
    assert study.needed_by_estimator({"split": "last_one", "estimator": "mn_mle"}) == {
        "split": "last_one",
        "estimator": "mle",
    }
    assert study.needed_by_estimator({"split": "last_one", "estimator": "uncorrected"}) is None


def test_weights_have_a_fit_where_the_study_asks_for_it(study):
    """Their own P(R) follows from the fit that they need, if they need one."""
    assert not {"bv_01", "bv_mle"} & set(study.fits("uniform_100"))
    study.sampling["fits"] = ["bv_01", "bv_mle"]
    assert {"mle", "bv_01", "bv_mle"} <= set(study.fits("uniform_100"))
    assert "bv_01" not in study.fits("adaptive_800"), "no estimator of such sets"
    needs = {name: study.needed_by_fit(WILDCARDS | {"estimator": name}) for name in ("mle", "bv_01", "bv_mle")}
    assert needs == {"mle": None, "bv_01": None, "bv_mle": WILDCARDS}
