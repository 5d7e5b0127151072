rule measure_migration:
    """Measure how far predicted ratings sell items above or below their users' own."""
    input:
        ranks=every_of("results/ranks/{dataset}/{split}/{model}.parquet"),
        train="results/splits/{dataset}/{split}/train.parquet",
        user_table="results/datasets/{dataset}/users.parquet",
        item_table="results/datasets/{dataset}/items.parquet",
        facts="results/datasets/{dataset}/summary.json",
        receipts=every_of(
            "results/receipts/fetch_dataset/{dataset}.json",
            "results/receipts/split_interactions/{dataset}/{split}.json",
            "results/receipts/rank_items/{dataset}/{split}/{model}.json",
        ),
    output:
        table=update("results/meta/{dataset}/{split}/migration.parquet"),
        receipt="results/receipts/measure_migration/{dataset}/{split}.json",
    log:
        "results/logs/measure_migration/{dataset}/{split}.log",
    benchmark:
        "results/benchmarks/measure_migration/{dataset}/{split}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        models=lambda wildcards: study.models(wildcards.split, wildcards.dataset),
        settings=config["migration"],
        code=fingerprint("measure_migration"),
    script:
        "../scripts/measure_migration.py"
