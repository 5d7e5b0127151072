rule tune_model:
    """Search for the settings of one recommender that do best on rows held out of the training part."""
    input:
        train="results/splits/{dataset}/{split}/train.parquet",
        user_table="results/datasets/{dataset}/users.parquet",
        item_table="results/datasets/{dataset}/items.parquet",
        facts="results/datasets/{dataset}/summary.json",
        receipts=[
            "results/receipts/fetch_dataset/{dataset}.json",
            "results/receipts/split_interactions/{dataset}/{split}.json",
        ],
    output:
        chosen=update("results/tuning/{dataset}/{split}/{model}.json"),
        trials=update("results/tuning/{dataset}/{split}/{model}.parquet"),
        receipt="results/receipts/tune_model/{dataset}/{split}/{model}.json",
    log:
        "results/logs/tune_model/{dataset}/{split}/{model}.log",
    benchmark:
        "results/benchmarks/tune_model/{dataset}/{split}/{model}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=8000,
        runtime=720,
    params:
        definition=definition("models"),
        tuning=study.tuning,
        evaluation=lambda wildcards: {
            "ties": config["ties"],
            "relevance": study.relevance(wildcards.split),
            "undefined_users": config["undefined_users"],
        },
        seed=config["seed"],
        code=code_of("tune_model", MODELS, "models", *study.tuning_code),
    script:
        "../scripts/tune_model.py"
