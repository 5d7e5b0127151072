rule judge_sampling:
    """Judge samplers and estimators by the exact ranks: errors, orders, winners, cost."""
    input:
        ranks=every_sampled_of("results/ranks/{dataset}/{split}/{model}.parquet"),
        samples=every_sampled_of("results/samples/{dataset}/{split}/{sampler}.npz"),
        estimates=every_sampled_of("results/estimates/{dataset}/{split}/{sampler}/{estimator}.parquet"),
        receipts=every_sampled_of(
            "results/receipts/rank_items/{dataset}/{split}/{model}.json",
            "results/receipts/sample_ranks/{dataset}/{split}/{sampler}.json",
            "results/receipts/estimate_metrics/{dataset}/{split}/{sampler}/{estimator}.json",
        ),
    output:
        accuracy=update("results/meta/{dataset}/{split}/accuracy.parquet"),
        order=update("results/meta/{dataset}/{split}/order.parquet"),
        winner=update("results/meta/{dataset}/{split}/winner.parquet"),
        mapped=update("results/meta/{dataset}/{split}/mapped.parquet"),
        cost=update("results/meta/{dataset}/{split}/cost.parquet"),
        effort=update("results/meta/{dataset}/{split}/effort.parquet"),
        user_sampling=update("results/meta/{dataset}/{split}/user_sampling.parquet"),
        receipt="results/receipts/judge_sampling/{dataset}/{split}.json",
    log:
        "results/logs/judge_sampling/{dataset}/{split}.log",
    benchmark:
        "results/benchmarks/judge_sampling/{dataset}/{split}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        samplers=lambda wildcards: {name: config["samplers"][name] for name in study.sampling["samplers"]},
        pairs=lambda wildcards: [(s, e) for s in study.sampling["samplers"] for e in study.estimators(s)],
        models=lambda wildcards: study.sampled_models(wildcards.dataset),
        metrics=lambda wildcards: study.sampled_metrics(),
        cutoffs=lambda wildcards: study.sampling["cutoffs"],
        relevance=lambda wildcards: study.relevance(wildcards.split),
        code=lambda wildcards: code_of_sampled("judge_sampling"),
    script:
        "../scripts/judge_sampling.py"
