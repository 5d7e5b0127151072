"""Jobs of seconds, which would wait longer in a cluster's queue than they run: they go to it together."""

TOGETHER = {
    "data": ("fetch_dataset", "split_interactions", "check_relevance"),
    "models": ("train_model", "rank_shard", "rank_items"),
    "evaluation": ("evaluate_shard", "evaluate_metrics", "flip_shard", "test_significance"),
    "estimates": ("sample_ranks", "fit_ranks", "estimate_metrics"),
    "pages": (
        *("judge_sampling", "draw_curves", "correlate_metrics", "compare_by_time", "measure_groups"),
        *("measure_migration", "measure_replicates", "measure_robustness"),
        *("verdict", "write_checklist", "draw_figures", "render_report"),
    ),
}


def groups_of(shards: int) -> dict[str, str]:
    """Return rule -> group. Rules cut into several shards have none, to run side by side; nor have those around them,
    since a group must contain all jobs between two of its own."""
    kept = {
        group: rules
        for group, rules in TOGETHER.items()
        if shards == 1 or not any(rule.endswith("_shard") for rule in rules)
    }
    return {rule: group for group, rules in kept.items() for rule in rules}
