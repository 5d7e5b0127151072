rule render_paper:
    """Render the page that sets the paper which a study reproduces against ours, figure by figure."""
    input:
        notebook=f"{HERE.parent}/notebooks/paper.ipynb",
        published=f"{HERE}/studies/published/{{paper}}.yaml",
        template=TEMPLATE,
        artefacts=every(
            "results/metrics/{dataset}/{split}/summary.parquet",
            "results/meta/{dataset}/{split}/significance.parquet",
            "results/meta/{dataset}/{split}/discriminative_power.parquet",
            "results/meta/{dataset}/{split}/correlation.parquet",
            "results/receipts/evaluate_metrics/{dataset}/{split}.json",
            "results/receipts/test_significance/{dataset}/{split}.json",
            "results/receipts/correlate_metrics/{dataset}/{split}.json",
        ),
        ranking=every(*META, part="ranking"),
        sampled=every_sampled(
            "results/meta/{dataset}/{split}/accuracy.parquet",
            "results/meta/{dataset}/{split}/order.parquet",
            "results/meta/{dataset}/{split}/winner.parquet",
            "results/meta/{dataset}/{split}/cost.parquet",
            "results/meta/{dataset}/{split}/user_sampling.parquet",
            "results/receipts/judge_sampling/{dataset}/{split}.json",
        ),
    output:
        html=update("results/report/paper/{paper}.html"),
        receipt="results/receipts/render_paper/{paper}.json",
    log:
        "results/logs/render_paper/{paper}.log",
        notebook="results/logs/render_paper/{paper}.ipynb",
    benchmark:
        "results/benchmarks/render_paper/{paper}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        config=config,
        code=fingerprint("render_paper", "truerank.report"),
    script:
        "../scripts/render_paper.py"
