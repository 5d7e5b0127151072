rule correlate_metrics:
    """Correlate the orders in which metrics and cut-offs put the models."""
    input:
        summary="results/metrics/{dataset}/{split}/summary.parquet",
        receipt="results/receipts/evaluate_metrics/{dataset}/{split}.json",
    output:
        table=update("results/meta/{dataset}/{split}/correlation.parquet"),
        receipt="results/receipts/correlate_metrics/{dataset}/{split}.json",
    log:
        "results/logs/correlate_metrics/{dataset}/{split}.log",
    benchmark:
        "results/benchmarks/correlate_metrics/{dataset}/{split}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        metrics=lambda wildcards: study.metrics(wildcards.split),
        code=code_of_metrics("correlate_metrics"),
    script:
        "../scripts/correlate_metrics.py"
