"""Exact ranks of all test items, and metrics of them; shards are parts by users, of which the last rules make one."""


rule rank_shard:
    """Rank the test items of some users exactly among all candidates, and list these users' best items."""
    input:
        **reads("train", "test", "user_table", "item_table", "model"),
    output:
        **writes(
            "rank_shard",
            rank_shards="results/shards/ranks/{dataset}/{split}/{model}/{shard}.parquet",
            list_shards="results/shards/lists/{dataset}/{split}/{model}/{shard}.parquet",
        ),
    log:
        log_of("rank_shard"),
    benchmark:
        benchmark_of("rank_shard")
    conda:
        ENVIRONMENT
    resources:
        **limits(mem_mb=8000, minutes=120),
    params:
        **settings("rank_shard", "ties", "candidates", "depth", "seed", "shards", model="trained_model"),
    script:
        "../scripts/run_stage.py"


rule rank_items:
    """Join the exact ranks of all users of a model, and their lists."""
    input:
        **reads("rank_shards", "list_shards"),
    output:
        **writes(
            "rank_items",
            ranks="results/ranks/{dataset}/{split}/{model}.parquet",
            lists="results/lists/{dataset}/{split}/{model}.parquet",
        ),
    log:
        log_of("rank_items"),
    benchmark:
        benchmark_of("rank_items")
    conda:
        ENVIRONMENT
    resources:
        **limits(mem_mb=2000, minutes=60),
    params:
        **settings("rank_items"),
    script:
        "../scripts/run_stage.py"


rule evaluate_shard:
    """Evaluate the metrics of single users at all cut-offs, for some users of all models."""
    input:
        **reads("relevance", "ranks", "lists", "train", "user_table", "item_table", "facts"),
    output:
        **writes("evaluate_shard", metric_shards="results/shards/metrics/{dataset}/{split}/{shard}.parquet"),
    log:
        log_of("evaluate_shard"),
    benchmark:
        benchmark_of("evaluate_shard")
    conda:
        ENVIRONMENT
    resources:
        **limits(mem_mb=4000, minutes=60),
    params:
        **settings("evaluate_shard", "model_names", "metrics", "cutoffs", "relevance", "shards"),
    script:
        "../scripts/run_stage.py"


rule evaluate_metrics:
    """Join the metrics of all users, add those of whole systems, and summarise both with intervals."""
    input:
        **reads("metric_shards", "ranks", "lists", "train", "user_table", "item_table", "facts"),
    output:
        **writes("evaluate_metrics", **tables("metrics", "per_user", "summary")),
    log:
        log_of("evaluate_metrics"),
    benchmark:
        benchmark_of("evaluate_metrics")
    conda:
        ENVIRONMENT
    resources:
        **limits(mem_mb=4000, minutes=60),
    params:
        **settings("evaluate_metrics", "model_names", "metrics", "cutoffs", "relevance", "undefined_users"),
    script:
        "../scripts/run_stage.py"
