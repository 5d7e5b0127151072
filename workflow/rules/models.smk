"""Recommenders, their settings searched for where the study says so, and trained."""


rule tune_model:
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
    conda:
        ENVIRONMENT
    resources:
        **limits(mem_mb=8000, minutes=720),
    params:
        **settings("tune_model", "model", "tuning", "evaluation", "seed"),
    script:
        "../scripts/run_stage.py"


rule train_model:
    """Train one recommender on the training part of a split."""
    input:
        partial(study.setting, "run_files"),
        **reads("train", "user_table", "item_table", tuning=tuned_once),
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
    conda:
        ENVIRONMENT
    resources:
        **limits(mem_mb=8000, minutes=120),
    params:
        **settings("train_model", "seed", model="trained_model", content="run_content"),
    script:
        "../scripts/run_stage.py"
