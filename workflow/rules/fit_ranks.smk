rule fit_ranks:
    """Fit the distribution of exact ranks to the sampled ones, per model and repeat."""
    input:
        samples="results/samples/{dataset}/{split}/{sampler}.npz",
        receipt="results/receipts/sample_ranks/{dataset}/{split}/{sampler}.json",
    output:
        fit=update("results/fits/{dataset}/{split}/{sampler}/{estimator}.npz"),
        receipt="results/receipts/fit_ranks/{dataset}/{split}/{sampler}/{estimator}.json",
    log:
        "results/logs/fit_ranks/{dataset}/{split}/{sampler}/{estimator}.log",
    benchmark:
        "results/benchmarks/fit_ranks/{dataset}/{split}/{sampler}/{estimator}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        estimator=definition("estimators"),
        code=code_of("fit_ranks", ESTIMATORS, "estimators"),
    script:
        "../scripts/fit_ranks.py"
