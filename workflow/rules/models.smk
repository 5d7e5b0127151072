"""Recommenders, their settings searched for where the study says so, and trained."""


use rule stage as tune_model with:
    """Search for the settings of one recommender that do best on rows held out of the training part."""
    input:
        **reads("train", "user_table", "item_table", "facts"),
    output:
        **writes(
            "tune_model",
            within="tuned",
            tuning="results/tuning/{dataset}/{split}/{model}.json",
            trials="results/tuning/{dataset}/{split}/{model}.parquet",
        ),
    log:
        log_of("tune_model"),
    benchmark:
        benchmark_of("tune_model")
    resources:
        **limits(mem_mb=8000, minutes=720),
    params:
        **settings("tune_model", "model", "tuning", "evaluation", "seed"),


use rule stage as train_model with:
    """Train one recommender on the training part of a split."""
    input:
        own_files("run_files"),
        **reads("train", "user_table", "item_table", tuning=study.tuned_once),
    output:
        **writes(
            "train_model",
            model="results/models/{dataset}/{split}/{model}/model.npz",
            training="results/models/{dataset}/{split}/{model}/training.parquet",
        ),
    log:
        log_of("train_model"),
    benchmark:
        benchmark_of("train_model")
    resources:
        **limits(mem_mb=8000, minutes=120),
    params:
        **settings("train_model", "seed", model="trained_model", content="run_content"),
