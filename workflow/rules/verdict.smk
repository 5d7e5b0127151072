rule verdict:
    """Say which metric to trust on a dataset, and what sampling would have done."""
    input:
        significance=of_part("ranking", "results/meta/{dataset}/{split}/significance.parquet"),
        discriminative_power=of_part("ranking", "results/meta/{dataset}/{split}/discriminative_power.parquet"),
        robustness=of_part("ranking", "results/meta/{dataset}/{split}/robustness.parquet"),
        order=every_sampled_of("results/meta/{dataset}/{split}/order.parquet"),
        order_receipt=every_sampled_of("results/receipts/judge_sampling/{dataset}/{split}.json"),
        receipts=of_part(
            "ranking",
            "results/receipts/test_significance/{dataset}/{split}.json",
            "results/receipts/measure_robustness/{dataset}/{split}.json",
        ),
    output:
        verdict=update(report("results/verdict/{dataset}.json", **report_options("verdict", "Verdicts"))),
        receipt="results/receipts/verdict/{dataset}.json",
    log:
        "results/logs/verdict/{dataset}.log",
    benchmark:
        "results/benchmarks/verdict/{dataset}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        samplers=[name for name, sampler in config.get("samplers", {}).items() if sampler.get("negatives") == 100],
        beside=config["robustness"].get("predictions", []),
        code=fingerprint("verdict"),
    script:
        "../scripts/verdict.py"
