"""Exact ranks of all test items, and metrics of them; shards are parts by users, of which the last rules make one."""


use rule stage as rank_shard with:
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
    resources:
        **limits(mem_mb=8000, minutes=120),
    params:
        **settings("rank_shard", "ties", "candidates", "depth", "seed", "shards", model="trained_model"),


use rule stage as rank_items with:
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
    resources:
        **limits(mem_mb=2000, minutes=60),
    params:
        **settings("rank_items"),


use rule stage as evaluate_shard with:
    """Evaluate the metrics of single users at all cut-offs, for some users of all models."""
    input:
        **reads("relevance", "ranks", "lists", "train", "user_table", "item_table", "facts"),
    output:
        **writes("evaluate_shard", metric_shards="results/shards/metrics/{dataset}/{split}/{shard}.parquet"),
    log:
        log_of("evaluate_shard"),
    benchmark:
        benchmark_of("evaluate_shard")
    resources:
        **limits(mem_mb=4000, minutes=60),
    params:
        **settings("evaluate_shard", "model_names", "metrics", "cutoffs", "relevance", "shards"),


use rule stage as evaluate_metrics with:
    """Join the metrics of all users, add those of whole systems, and summarise both with intervals."""
    input:
        **reads("metric_shards", "ranks", "lists", "train", "user_table", "item_table", "facts"),
    output:
        **writes("evaluate_metrics", **tables("metrics", "per_user", "summary")),
    log:
        log_of("evaluate_metrics"),
    benchmark:
        benchmark_of("evaluate_metrics")
    resources:
        **limits(mem_mb=4000, minutes=60),
    params:
        **settings("evaluate_metrics", "model_names", "metrics", "cutoffs", "relevance", "undefined_users"),
