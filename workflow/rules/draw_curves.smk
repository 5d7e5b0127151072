rule draw_curves:
    """Compute expected sampled metrics, aligned recall curves, and which recall curves cross."""
    input:
        ranks=every_sampled_of("results/ranks/{dataset}/{split}/{model}.parquet"),
        receipts=every_sampled_of("results/receipts/rank_items/{dataset}/{split}/{model}.json"),
        relevant="results/receipts/check_relevance/{dataset}/{split}.json",
    output:
        expected=update("results/curves/{dataset}/{split}/expected.parquet"),
        mapping=update("results/curves/{dataset}/{split}/mapping.parquet"),
        crossings=update("results/curves/{dataset}/{split}/crossings.parquet"),
        receipt="results/receipts/draw_curves/{dataset}/{split}.json",
    log:
        "results/logs/draw_curves/{dataset}/{split}.log",
    benchmark:
        "results/benchmarks/draw_curves/{dataset}/{split}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        models=lambda wildcards: study.sampled_models(wildcards.dataset),
        metrics=lambda wildcards: study.sampled_metrics(),
        cutoffs=lambda wildcards: study.sampling["cutoffs"],
        relevance=lambda wildcards: study.relevance(wildcards.split),
        estimators=lambda wildcards: {name: config["estimators"][name] for name in study.sampling.get("estimators", ())},
        sizes=lambda wildcards: study.negatives,
        code=lambda wildcards: code_of_sampled(
            "draw_curves",
            *modules_of(ESTIMATORS, (config["estimators"][name] for name in study.sampling.get("estimators", ()))),
        ),
    script:
        "../scripts/draw_curves.py"
