rule evaluate_shard:
    """Evaluate the metrics of single users at all cut-offs, for some users of one model."""
    input:
        ranks="results/ranks/{dataset}/{split}/{model}.parquet",
        lists="results/lists/{dataset}/{split}/{model}.parquet",
        train="results/splits/{dataset}/{split}/train.parquet",
        user_table="results/datasets/{dataset}/users.parquet",
        item_table="results/datasets/{dataset}/items.parquet",
        facts="results/datasets/{dataset}/summary.json",
        receipts=[
            "results/receipts/fetch_dataset/{dataset}.json",
            "results/receipts/split_interactions/{dataset}/{split}.json",
            "results/receipts/rank_items/{dataset}/{split}/{model}.json",
        ],
        relevant="results/receipts/check_relevance/{dataset}/{split}.json",
    output:
        per_user=update("results/shards/metrics/{dataset}/{split}/{model}/{shard}.parquet"),
        receipt="results/receipts/evaluate_shard/{dataset}/{split}/{model}/{shard}.json",
    log:
        "results/logs/evaluate_shard/{dataset}/{split}/{model}/{shard}.log",
    benchmark:
        "results/benchmarks/evaluate_shard/{dataset}/{split}/{model}/{shard}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        metrics=lambda wildcards: study.metrics(wildcards.split),
        cutoffs=lambda wildcards: study.cutoffs(wildcards.split),
        relevance=lambda wildcards: study.relevance(wildcards.split),
        shard=number_and_count,
        code=code_of_metrics("evaluate_shard"),
    script:
        "../scripts/evaluate_shard.py"
