rule fetch_dataset:
    """Read and check the interactions of a dataset, and number its users and items."""
    input:
        source_files,
    output:
        interactions=update("results/datasets/{dataset}/interactions.parquet"),
        user_table=update("results/datasets/{dataset}/users.parquet"),
        item_table=update("results/datasets/{dataset}/items.parquet"),
        summary=update("results/datasets/{dataset}/summary.json"),
        receipt="results/receipts/fetch_dataset/{dataset}.json",
    log:
        "results/logs/fetch_dataset/{dataset}.log",
    benchmark:
        "results/benchmarks/fetch_dataset/{dataset}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=memory_of_source,
        runtime=60,
    params:
        settings=definition("datasets"),
        seed=config["seed"],
        content=content_of(source_files),
        code=code_of("fetch_dataset", DATASETS, "datasets", kind="source"),
    script:
        "../scripts/fetch_dataset.py"
