"""The metrics themselves on trial: which of them tell models apart, and which keep their order when data thins out."""


use rule stage as flip_shard with:
    """Flip the signs of users' differences in some of the draws, and resample the users some of the times."""
    input:
        **reads("per_user", "test"),
    output:
        **writes("flip_shard", flip_shards="results/shards/flips/{dataset}/{split}/{shard}.npz"),
    log:
        log_of("flip_shard"),
    benchmark:
        benchmark_of("flip_shard")
    threads: 2
    resources:
        **limits(mem_mb=2000, minutes=120),
    params:
        **settings("flip_shard", "model_names", "metrics", "undefined_users", "significance", "seed", "shards"),


use rule stage as test_significance with:
    """Test all pairs of models under all metrics, by what the shards counted."""
    input:
        **reads("flip_shards", "per_user", "lists", "test"),
    output:
        **writes("test_significance", **tables("meta", "significance", "discriminative_power", "best_set")),
    log:
        log_of("test_significance"),
    benchmark:
        benchmark_of("test_significance")
    resources:
        **limits(mem_mb=2000, minutes=60),
    params:
        **settings("test_significance", "model_names", "metrics", "undefined_users", "significance", "seed"),


use rule stage as sweep_shard with:
    """Measure how well all metrics keep the order of models on some of the thinned test sets."""
    input:
        **reads("relevance", "ranks", "train", "user_table", "item_table", "facts"),
    output:
        **writes("sweep_shard", within="ranking", sweep_shards="results/shards/sweeps/{dataset}/{split}/{shard}.npz"),
    log:
        log_of("sweep_shard"),
    benchmark:
        benchmark_of("sweep_shard")
    # The longest jobs of a study, and one core of each is most of what they can use: start them first, beside others.
    priority: 1
    resources:
        **limits(mem_mb=4000, minutes=240),
    params:
        **settings("sweep_shard", "metrics", "cutoffs", "evaluation", "robustness", "seed", "shards"),


use rule stage as measure_robustness with:
    """Measure how well all metrics keep the order of models when test ratings are missing, from what shards swept."""
    input:
        **reads("sweep_shards"),
    output:
        **writes("measure_robustness", within="ranking", **tables("meta", "robustness", "robustness_summary")),
    log:
        log_of("measure_robustness"),
    benchmark:
        benchmark_of("measure_robustness")
    resources:
        **limits(mem_mb=2000, minutes=30),
    params:
        **settings("measure_robustness", "metrics", "robustness", "seed"),


use rule stage as correlate_metrics with:
    """Correlate the orders in which metrics and cut-offs put the models."""
    input:
        **reads("summary"),
    output:
        **writes("correlate_metrics", **tables("meta", "correlation")),
    log:
        log_of("correlate_metrics"),
    benchmark:
        benchmark_of("correlate_metrics")
    resources:
        **limits(mem_mb=2000, minutes=30),
    params:
        **settings("correlate_metrics", "metrics"),


use rule stage as measure_migration with:
    """Measure how far predicted ratings sell items above or below their users' own."""
    input:
        **reads("ranks", "train", "user_table", "item_table", "facts"),
    output:
        **writes("measure_migration", within="ranking", **tables("meta", "migration")),
    log:
        log_of("measure_migration"),
    benchmark:
        benchmark_of("measure_migration")
    resources:
        **limits(mem_mb=4000, minutes=30),
    params:
        **settings("measure_migration", "model_names", "migration"),


use rule stage as measure_replicates with:
    """Gather what the models of all replicates score, and say how much users, split and training move it."""
    input:
        **reads(summary="replicates", per_user="replicates"),
    output:
        **writes("measure_replicates", within="replicated", **tables("meta", "replicates", "replicate_variance")),
    log:
        log_of("measure_replicates"),
    benchmark:
        benchmark_of("measure_replicates")
    resources:
        **limits(mem_mb=4000, minutes=30),
    params:
        **settings("measure_replicates", "replicate_numbers", "metrics", "undefined_users"),


use rule stage as compare_by_time with:
    """Set the leaderboard of a split beside that of a split at one moment, which nothing later than it has trained."""
    input:
        **reads(summary="both_splits"),
    output:
        **writes("compare_by_time", within="compared_by_time", **tables("meta", "by_time")),
    log:
        log_of("compare_by_time"),
    benchmark:
        benchmark_of("compare_by_time")
    resources:
        **limits(mem_mb=2000, minutes=10),
    params:
        **settings("compare_by_time"),


use rule stage as verdict with:
    """Say which metric to trust on a dataset, and what sampling would have done."""
    input:
        **reads(
            "robustness_summary",
            "order",
            significance="ranking",
            discriminative_power="ranking",
            best_set="ranking",
            correlation="ranking",
            split_facts="ranking",
        ),
    output:
        **writes("verdict", verdict=reported("results/verdict/{dataset}.json", "verdict", "{dataset}", "Verdicts")),
    log:
        log_of("verdict"),
    benchmark:
        benchmark_of("verdict")
    resources:
        **limits(mem_mb=2000, minutes=10),
    params:
        **settings("verdict", "samplers_of_hundred", "ranking_metrics", "ranking_definitions"),


use rule stage as measure_groups with:
    """Measure for whom the order of the models holds: groups of users, and of test items."""
    input:
        **reads("verdict", "per_user", "ranks", "train", "user_table", "item_table", "facts"),
    output:
        **writes("measure_groups", within="ranking", **tables("meta", "groups", "group_pairs")),
    log:
        log_of("measure_groups"),
    benchmark:
        benchmark_of("measure_groups")
    resources:
        **limits(mem_mb=8000, minutes=60),
    params:
        **settings("measure_groups", "model_names", "metrics", "evaluation", "headline", "seed"),
