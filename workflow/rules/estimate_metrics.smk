rule estimate_metrics:
    """Estimate full-catalogue metrics from ranks among sampled candidates."""
    input:
        samples="results/samples/{dataset}/{split}/{sampler}.npz",
        fit=fitted("results/fits/{dataset}/{split}/{sampler}/{estimator}.npz"),
        receipt="results/receipts/sample_ranks/{dataset}/{split}/{sampler}.json",
        fit_receipt=fitted("results/receipts/fit_ranks/{dataset}/{split}/{sampler}/{estimator}.json"),
    output:
        estimates=update("results/estimates/{dataset}/{split}/{sampler}/{estimator}.parquet"),
        receipt="results/receipts/estimate_metrics/{dataset}/{split}/{sampler}/{estimator}.json",
    log:
        "results/logs/estimate_metrics/{dataset}/{split}/{sampler}/{estimator}.log",
    benchmark:
        "results/benchmarks/estimate_metrics/{dataset}/{split}/{sampler}/{estimator}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        estimator=definition("estimators"),
        metrics=lambda wildcards: study.sampled_metrics(),
        cutoffs=lambda wildcards: study.sampling["cutoffs"],
        code=lambda wildcards: code_of_sampled(
            "estimate_metrics", ESTIMATORS.of(definition("estimators")(wildcards)).module
        ),
    script:
        "../scripts/estimate_metrics.py"
