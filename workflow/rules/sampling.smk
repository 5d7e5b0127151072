"""What would have come out on sampled candidates, and what estimators make of it."""

SAMPLED = ("accuracy", "error", "bounds", "order", "winner", "mapped", "cost", "effort", "user_sampling", "user_tests")
CURVES = ("expected", "mapping", "known", "crossings")
OF_SAMPLES = {"model_names": "sampled_names", "metrics": "sampled_metrics", "cutoffs": "sampled_cutoffs"}


use rule stage as draw_shard with:
    """Rank some of the relevant test items among candidates that are drawn and scored, for all models and repeats."""
    input:
        **reads("relevance", "train", "test", "user_table", "item_table", model="sampling"),
    output:
        **writes(
            "draw_shard",
            within="drawn",
            sample_shards="results/shards/samples/{dataset}/{split}/{sampler}/{shard}.npz",
        ),
    log:
        log_of("draw_shard"),
    benchmark:
        benchmark_of("draw_shard")
    resources:
        **limits(mem_mb=8000, minutes=60),
    params:
        **settings(
            "draw_shard", "sampler", "relevance", "ties", "candidates", "seed", "shards", models="sampled_models"
        ),


use rule stage as sample_ranks with:
    """Rank relevant test items among sampled candidates, for all models and repeats; join shards where they are drawn."""
    input:
        **reads("relevance", "sample_shards", ranks="simulated"),
    output:
        **writes("sample_ranks", within="sampling", samples="results/samples/{dataset}/{split}/{sampler}.npz"),
    log:
        log_of("sample_ranks"),
    benchmark:
        benchmark_of("sample_ranks")
    resources:
        **limits(mem_mb=8000, minutes=60),
    params:
        **settings("sample_ranks", "sampler", "relevance", "seed", model_names="sampled_names"),


use rule stage as fit_ranks with:
    """Fit the distribution of exact ranks to the sampled ones, per model and repeat."""
    input:
        **reads("samples", fit=study.needed_by_fit),
    output:
        **writes("fit_ranks", within="fits", fit="results/fits/{dataset}/{split}/{sampler}/{estimator}.npz"),
    log:
        log_of("fit_ranks"),
    benchmark:
        benchmark_of("fit_ranks")
    resources:
        **limits(mem_mb=4000, minutes=60),
    params:
        **settings("fit_ranks", "estimator"),


use rule stage as estimate_metrics with:
    """Estimate full-catalogue metrics from ranks among sampled candidates."""
    input:
        **reads("samples", fit=study.needed_by_estimator),
    output:
        **writes(
            "estimate_metrics",
            within="sampling",
            estimates="results/estimates/{dataset}/{split}/{sampler}/{estimator}.parquet",
        ),
    log:
        log_of("estimate_metrics"),
    benchmark:
        benchmark_of("estimate_metrics")
    resources:
        **limits(mem_mb=4000, minutes=60),
    params:
        **settings("estimate_metrics", "estimator", **OF_SAMPLES),


use rule stage as judge_sampling with:
    """Judge samplers and estimators by the exact ranks: errors, orders, winners, cost."""
    input:
        **reads("samples", "estimates", "facts", ranks="sampling"),
    output:
        **writes("judge_sampling", within="sampling", **tables("meta", *SAMPLED)),
    log:
        log_of("judge_sampling"),
    benchmark:
        benchmark_of("judge_sampling")
    threads: 2
    resources:
        **limits(mem_mb=4000, minutes=30),
    params:
        **settings("judge_sampling", "samplers", "estimated", "relevance", **OF_SAMPLES),


use rule stage as draw_curves with:
    """Compute expected sampled metrics, aligned recall curves, and which recall curves cross."""
    input:
        **reads("relevance", "facts", ranks="sampling"),
    output:
        **writes("draw_curves", within="sampling", **tables("curves", *CURVES)),
    log:
        log_of("draw_curves"),
    benchmark:
        benchmark_of("draw_curves")
    resources:
        **limits(mem_mb=4000, minutes=30),
    params:
        **settings("draw_curves", "estimators", "relevance", "negatives", **OF_SAMPLES),
