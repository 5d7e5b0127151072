"""What a study makes: the artefacts that no later rule asks for, and the receipt of every job."""


report: f"{workflow.basedir}/workflow/report/workflow.rst"


TEMPLATE = multiext(
    f"{workflow.basedir}/workflow/truerank/report/template/",
    *("page.html.j2", "page.css", "page.js", "table.html.j2", "figure.html.j2", "answers.html.j2"),
)
ARTEFACTS = [  # of every part
    "results/report/{dataset}.html",
    "results/lists/{dataset}/{split}/{model}.parquet",
    "results/metrics/{dataset}/{split}/per_user.parquet",
    "results/meta/{dataset}/{split}/discriminative_power.parquet",
    "results/meta/{dataset}/{split}/correlation.parquet",
    "results/verdict/{dataset}.json",
]
META = [  # of the ranking part
    "results/meta/{dataset}/{split}/robustness.parquet",
    "results/meta/{dataset}/{split}/migration.parquet",
    "results/receipts/measure_robustness/{dataset}/{split}.json",
    "results/receipts/measure_migration/{dataset}/{split}.json",
]
SAMPLED = [  # of the sampling part
    "results/meta/{dataset}/{split}/accuracy.parquet",
    "results/curves/{dataset}/{split}/expected.parquet",
    "results/receipts/sample_ranks/{dataset}/{split}/{sampler}.json",
    "results/receipts/fit_ranks/{dataset}/{split}/{sampler}/{fit}.json",
    "results/receipts/estimate_metrics/{dataset}/{split}/{sampler}/{estimator}.json",
    "results/receipts/judge_sampling/{dataset}/{split}.json",
    "results/receipts/draw_curves/{dataset}/{split}.json",
]
RECEIPTS = [
    "results/receipts/fetch_dataset/{dataset}.json",
    "results/receipts/split_interactions/{dataset}/{split}.json",
    "results/receipts/train_model/{dataset}/{split}/{model}.json",
    "results/receipts/rank_items/{dataset}/{split}/{model}.json",
    "results/receipts/evaluate_metrics/{dataset}/{split}.json",
    "results/receipts/test_significance/{dataset}/{split}.json",
    "results/receipts/correlate_metrics/{dataset}/{split}.json",
    "results/receipts/verdict/{dataset}.json",
    "results/receipts/render_report/{dataset}.json",
]


def told(rule, category, dataset="{dataset}"):
    """Return how ``snakemake --report`` presents a result: its caption, named after the rule, category and label."""
    caption = f"{workflow.basedir}/workflow/report/{rule}.rst"
    return {"caption": caption, "category": category, "labels": {"dataset": dataset}}
