rule measure_robustness:
    """Measure how well all metrics keep the order of models when test ratings are missing."""
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
        relevant="results/receipts/check_relevance/{dataset}/{split}.json",
    output:
        table=update("results/meta/{dataset}/{split}/robustness.parquet"),
        receipt="results/receipts/measure_robustness/{dataset}/{split}.json",
    log:
        "results/logs/measure_robustness/{dataset}/{split}.log",
    benchmark:
        "results/benchmarks/measure_robustness/{dataset}/{split}.tsv"
    priority: 1
    conda:
        "../../envs/truerank.yaml"
    # The longest job of a study, and one core of it is most of what it can use: start it first, beside others.
    threads: 1
    resources:
        mem_mb=8000,
        runtime=240,
    params:
        metrics=lambda wildcards: study.metrics(wildcards.split),
        cutoffs=lambda wildcards: study.cutoffs(wildcards.split),
        relevance=lambda wildcards: study.relevance(wildcards.split),
        undefined_users=config["undefined_users"],
        settings=config["robustness"],
        seed=config["seed"],
        code=code_of_metrics("measure_robustness"),
    script:
        "../scripts/measure_robustness.py"
