"""Truerank: from interactions to a report on which metric, and which sampled number, can be trusted."""


include: "workflow/rules/common.smk"
include: "workflow/rules/fetch_dataset.smk"
include: "workflow/rules/split_interactions.smk"
include: "workflow/rules/check_relevance.smk"
include: "workflow/rules/tune_model.smk"
include: "workflow/rules/train_model.smk"
include: "workflow/rules/rank_shard.smk"
include: "workflow/rules/rank_items.smk"
include: "workflow/rules/evaluate_shard.smk"
include: "workflow/rules/evaluate_metrics.smk"
include: "workflow/rules/test_significance.smk"
include: "workflow/rules/measure_robustness.smk"
include: "workflow/rules/correlate_metrics.smk"
include: "workflow/rules/measure_migration.smk"
include: "workflow/rules/verdict.smk"
include: "workflow/rules/draw_shard.smk"
include: "workflow/rules/sample_ranks.smk"
include: "workflow/rules/fit_ranks.smk"
include: "workflow/rules/estimate_metrics.smk"
include: "workflow/rules/judge_sampling.smk"
include: "workflow/rules/draw_curves.smk"
include: "workflow/rules/render_report.smk"
include: "workflow/rules/render_paper.smk"
include: "workflow/rules/render_index.smk"


rule all:
    """Everything that the config selects, with the receipt of every job: one that failed has none and runs again."""
    default_target: True
    input:
        every(*ARTEFACTS, *RECEIPTS),
        every(*META, part="ranking"),
        every_sampled(*SAMPLED),
