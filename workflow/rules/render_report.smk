rule render_report:
    """Render the report of one dataset from all its artefacts."""
    input:
        notebook=f"{HERE.parent}/notebooks/report.ipynb",
        template=TEMPLATE,
        dataset=multiext(
            "results/datasets/{dataset}/", "interactions.parquet", "users.parquet", "items.parquet", "summary.json"
        ),
        artefacts=every_of(
            "results/splits/{dataset}/{split}/train.parquet",
            "results/splits/{dataset}/{split}/test.parquet",
            "results/splits/{dataset}/{split}/summary.json",
            "results/tuning/{dataset}/{split}/{tuned}.json",
            "results/tuning/{dataset}/{split}/{tuned}.parquet",
            "results/models/{dataset}/{split}/{model}/training.parquet",
            "results/ranks/{dataset}/{split}/{model}.parquet",
            "results/metrics/{dataset}/{split}/summary.parquet",
            "results/meta/{dataset}/{split}/significance.parquet",
            "results/meta/{dataset}/{split}/discriminative_power.parquet",
            "results/meta/{dataset}/{split}/correlation.parquet",
        ),
        ranking=of_part("ranking", *META),
        verdict="results/verdict/{dataset}.json",
        sampled=every_sampled_of(
            "results/meta/{dataset}/{split}/accuracy.parquet",
            "results/meta/{dataset}/{split}/order.parquet",
            "results/meta/{dataset}/{split}/winner.parquet",
            "results/meta/{dataset}/{split}/mapped.parquet",
            "results/meta/{dataset}/{split}/cost.parquet",
            "results/meta/{dataset}/{split}/effort.parquet",
            "results/meta/{dataset}/{split}/user_sampling.parquet",
            "results/curves/{dataset}/{split}/expected.parquet",
            "results/curves/{dataset}/{split}/mapping.parquet",
            "results/curves/{dataset}/{split}/crossings.parquet",
            "results/receipts/judge_sampling/{dataset}/{split}.json",
            "results/receipts/draw_curves/{dataset}/{split}.json",
        ),
        receipts=every_of(
            "results/receipts/fetch_dataset/{dataset}.json",
            "results/receipts/split_interactions/{dataset}/{split}.json",
            "results/receipts/tune_model/{dataset}/{split}/{tuned}.json",
            "results/receipts/train_model/{dataset}/{split}/{model}.json",
            "results/receipts/rank_items/{dataset}/{split}/{model}.json",
            "results/receipts/evaluate_metrics/{dataset}/{split}.json",
            "results/receipts/test_significance/{dataset}/{split}.json",
            "results/receipts/correlate_metrics/{dataset}/{split}.json",
            "results/receipts/verdict/{dataset}.json",
        ),
    output:
        html=update(report("results/report/{dataset}.html", **report_options("render_report", "Reports"))),
        receipt="results/receipts/render_report/{dataset}.json",
    log:
        "results/logs/render_report/{dataset}.log",
        notebook="results/logs/render_report/{dataset}.ipynb",
    benchmark:
        "results/benchmarks/render_report/{dataset}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        config=config,
        code=fingerprint("render_report", "truerank.report"),
    script:
        "../scripts/render_report.py"
