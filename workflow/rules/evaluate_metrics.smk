rule evaluate_metrics:
    """Evaluate all metrics at all cut-offs, per user, for all models of a split."""
    input:
        ranks=every_of("results/ranks/{dataset}/{split}/{model}.parquet"),
        lists=every_of("results/lists/{dataset}/{split}/{model}.parquet"),
        train="results/splits/{dataset}/{split}/train.parquet",
        user_table="results/datasets/{dataset}/users.parquet",
        item_table="results/datasets/{dataset}/items.parquet",
        facts="results/datasets/{dataset}/summary.json",
        receipts=every_of(
            "results/receipts/fetch_dataset/{dataset}.json",
            "results/receipts/split_interactions/{dataset}/{split}.json",
            "results/receipts/rank_items/{dataset}/{split}/{model}.json",
        ),
        shards=every_shard("results/shards/metrics/{dataset}/{split}/{model}/{shard}.parquet"),
        shard_receipts=every_shard("results/receipts/evaluate_shard/{dataset}/{split}/{model}/{shard}.json"),
        relevant="results/receipts/check_relevance/{dataset}/{split}.json",
    output:
        per_user=update("results/metrics/{dataset}/{split}/per_user.parquet"),
        summary=update("results/metrics/{dataset}/{split}/summary.parquet"),
        receipt="results/receipts/evaluate_metrics/{dataset}/{split}.json",
    log:
        "results/logs/evaluate_metrics/{dataset}/{split}.log",
    benchmark:
        "results/benchmarks/evaluate_metrics/{dataset}/{split}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        models=lambda wildcards: study.models(wildcards.split, wildcards.dataset),
        metrics=lambda wildcards: study.metrics(wildcards.split),
        cutoffs=lambda wildcards: study.cutoffs(wildcards.split),
        relevance=lambda wildcards: study.relevance(wildcards.split),
        undefined_users=config["undefined_users"],
        code=code_of_metrics("evaluate_metrics"),
    script:
        "../scripts/evaluate_metrics.py"
