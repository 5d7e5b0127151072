rule check_relevance:
    """Check that test items are relevant, before anything is evaluated."""
    input:
        train="results/splits/{dataset}/{split}/train.parquet",
        test="results/splits/{dataset}/{split}/test.parquet",
        facts="results/datasets/{dataset}/summary.json",
        receipts=[
            "results/receipts/fetch_dataset/{dataset}.json",
            "results/receipts/split_interactions/{dataset}/{split}.json",
        ],
    output:
        receipt="results/receipts/check_relevance/{dataset}/{split}.json",
    log:
        "results/logs/check_relevance/{dataset}/{split}.log",
    benchmark:
        "results/benchmarks/check_relevance/{dataset}/{split}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=10,
    params:
        relevance=lambda wildcards: study.relevance(wildcards.split),
        key=lambda wildcards: study.relevance_key(wildcards.split),
        code=fingerprint("check_relevance"),
    script:
        "../scripts/check_relevance.py"
