rule test_significance:
    """Test all pairs of models under all metrics by sign flips."""
    input:
        per_user="results/metrics/{dataset}/{split}/per_user.parquet",
        receipt="results/receipts/evaluate_metrics/{dataset}/{split}.json",
    output:
        significance=update("results/meta/{dataset}/{split}/significance.parquet"),
        discriminative_power=update("results/meta/{dataset}/{split}/discriminative_power.parquet"),
        receipt="results/receipts/test_significance/{dataset}/{split}.json",
    log:
        "results/logs/test_significance/{dataset}/{split}.log",
    benchmark:
        "results/benchmarks/test_significance/{dataset}/{split}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 2
    resources:
        mem_mb=4000,
        runtime=120,
    params:
        metrics=lambda wildcards: study.metrics(wildcards.split),
        undefined_users=config["undefined_users"],
        draws=config["significance"]["draws"],
        seed=config["seed"],
        code=fingerprint("test_significance"),
    script:
        "../scripts/test_significance.py"
