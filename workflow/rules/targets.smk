"""What a study makes: the artefacts that no later rule asks for, the receipt of every job, and what is sampled."""


report: f"{HERE}/report/workflow.rst"


TEMPLATE = multiext(
    f"{HERE}/truerank/report/template/",
    *(
        "page.html.j2",
        "page.css",
        "page.js",
        "table.html.j2",
        "figure.html.j2",
        "answers.html.j2",
        "comparison.html.j2",
    ),
)
ARTEFACTS = [  # of every part
    "results/report/index.html",
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
    "results/receipts/check_relevance/{dataset}/{split}.json",
    "results/receipts/tune_model/{dataset}/{split}/{tuned}.json",
    "results/receipts/train_model/{dataset}/{split}/{model}.json",
    "results/receipts/rank_items/{dataset}/{split}/{model}.json",
    "results/receipts/evaluate_metrics/{dataset}/{split}.json",
    "results/receipts/test_significance/{dataset}/{split}.json",
    "results/receipts/correlate_metrics/{dataset}/{split}.json",
    "results/receipts/verdict/{dataset}.json",
    "results/receipts/render_report/{dataset}.json",
    "results/receipts/render_index.json",
]
PAPERS = expand(["results/report/paper/{paper}.html", "results/receipts/render_paper/{paper}.json"], paper=study.papers)


def every_sampled(*patterns, dataset=None, split=None, sampler=None, shard=None):
    """Fill patterns with all that the sampling part selects: its models, samplers, and the estimators of each.

    ``{fit}`` stands for the estimators whose fitted P(R) others need. A shard needs what the whole needs.
    """
    part = study.sampling
    if not part or split not in (None, part["split"]):
        return []
    paths = []
    for name, each in product([dataset] if dataset else study.datasets, [sampler] if sampler else part["samplers"]):
        names = {"dataset": name, "split": part["split"], "model": study.sampled_models(name)}
        names |= {"sampler": each, "estimator": study.estimators(each), "fit": study.fits(each)}
        for pattern in patterns:
            paths += fill(pattern, names)
    return list(dict.fromkeys(paths))


def every_sampled_of(*patterns, needs=None):
    """Return a function from wildcards to the patterns filled for them, if their sampler needs that."""

    def paths(wildcards):
        wanted = needs in (None, study.needs(wildcards.get("sampler")))
        return every_sampled(*patterns, **dict(wildcards.items())) if wanted else []

    return paths


def fitted(pattern):
    """Return a function from wildcards to the pattern filled with the fit that the estimator needs, if it needs one."""

    def paths(wildcards):
        fit = needed_fit(wildcards.estimator, config["estimators"][wildcards.estimator])
        return expand(pattern, **(dict(wildcards.items()) | {"estimator": fit})) if fit else []

    return paths


def report_options(rule, category, dataset="{dataset}"):
    """Return how ``snakemake --report`` presents a result: its caption, named after the rule, category and label."""
    caption = f"{HERE}/report/{rule}.rst"
    return {"caption": caption, "category": category, "labels": {"dataset": dataset}}
