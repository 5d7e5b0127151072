rule train_model:
    """Train one recommender on the training part of a split."""
    input:
        run_files,
        train="results/splits/{dataset}/{split}/train.parquet",
        user_table="results/datasets/{dataset}/users.parquet",
        item_table="results/datasets/{dataset}/items.parquet",
        tuning=if_tuned("results/tuning/{dataset}/{split}/{model}.json"),
        tuning_receipt=if_tuned("results/receipts/tune_model/{dataset}/{split}/{model}.json"),
        receipts=[
            "results/receipts/fetch_dataset/{dataset}.json",
            "results/receipts/split_interactions/{dataset}/{split}.json",
        ],
    output:
        model=update("results/models/{dataset}/{split}/{model}/model.npz"),
        training=update("results/models/{dataset}/{split}/{model}/training.parquet"),
        receipt="results/receipts/train_model/{dataset}/{split}/{model}.json",
    log:
        "results/logs/train_model/{dataset}/{split}/{model}.log",
    benchmark:
        "results/benchmarks/train_model/{dataset}/{split}/{model}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=8000,
        runtime=120,
    params:
        definition=definition("models"),
        seed=config["seed"],
        content=content_of(run_files),
        code=code_of("train_model", MODELS, "models"),
    script:
        "../scripts/train_model.py"
