rule render_index:
    """Render the page that leads to the reports of all datasets and compares them."""
    input:
        notebook=f"{HERE.parent}/notebooks/index.ipynb",
        template=TEMPLATE,
        reports=every("results/report/{dataset}.html"),
        papers=PAPERS,
        datasets=every("results/datasets/{dataset}/summary.json"),
        metrics=every("results/metrics/{dataset}/{split}/summary.parquet"),
        verdicts=every("results/verdict/{dataset}.json"),
        meta=every(
            "results/meta/{dataset}/{split}/discriminative_power.parquet",
            "results/meta/{dataset}/{split}/migration.parquet",
            part="ranking",
        ),
        receipts=every(
            "results/receipts/fetch_dataset/{dataset}.json",
            "results/receipts/evaluate_metrics/{dataset}/{split}.json",
            "results/receipts/verdict/{dataset}.json",
            "results/receipts/render_report/{dataset}.json",
        ),
        meta_receipts=every(
            "results/receipts/test_significance/{dataset}/{split}.json",
            "results/receipts/measure_migration/{dataset}/{split}.json",
            part="ranking",
        ),
    output:
        html=update(report("results/report/index.html", **report_options("render_index", "Reports", dataset="all"))),
        receipt="results/receipts/render_index.json",
    log:
        "results/logs/render_index.log",
        notebook="results/logs/render_index.ipynb",
    benchmark:
        "results/benchmarks/render_index.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        config=config,
        code=fingerprint("render_index", "truerank.report"),
    script:
        "../scripts/render_index.py"
