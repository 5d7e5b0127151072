rule split_interactions:
    """Hold out test interactions."""
    input:
        interactions="results/datasets/{dataset}/interactions.parquet",
        facts="results/datasets/{dataset}/summary.json",
        receipt="results/receipts/fetch_dataset/{dataset}.json",
    output:
        train=update("results/splits/{dataset}/{split}/train.parquet"),
        test=update("results/splits/{dataset}/{split}/test.parquet"),
        summary=update("results/splits/{dataset}/{split}/summary.json"),
        receipt="results/receipts/split_interactions/{dataset}/{split}.json",
    log:
        "results/logs/split_interactions/{dataset}/{split}.log",
    benchmark:
        "results/benchmarks/split_interactions/{dataset}/{split}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        settings=definition("splits"),
        seed=config["seed"],
        code=code_of("split_interactions", SPLITS, "splits"),
    script:
        "../scripts/split_interactions.py"
