"""Interactions, read and checked, and cut into training and test."""


use rule stage as fetch_dataset with:
    """Read and check the interactions of a dataset, and number its users and items."""
    input:
        own_files("source_files"),
    output:
        **writes(
            "fetch_dataset",
            interactions="results/datasets/{dataset}/interactions.parquet",
            user_table="results/datasets/{dataset}/users.parquet",
            item_table="results/datasets/{dataset}/items.parquet",
            facts="results/datasets/{dataset}/summary.json",
        ),
    log:
        log_of("fetch_dataset"),
    benchmark:
        benchmark_of("fetch_dataset")
    localrule: apart
    resources:
        **limits(mem_mb=study.memory_of_source, minutes=60),
    params:
        **settings("fetch_dataset", "dataset", "seed", content="source_content"),


use rule stage as split_interactions with:
    """Hold out test interactions."""
    input:
        **reads("interactions", "facts"),
    output:
        **writes(
            "split_interactions",
            **tables("splits", "train", "test"),
            split_facts="results/splits/{dataset}/{split}/summary.json",
        ),
    log:
        log_of("split_interactions"),
    benchmark:
        benchmark_of("split_interactions")
    resources:
        **limits(mem_mb=4000, minutes=30),
    params:
        **settings("split_interactions", "split", "split_rows", "seed", untracked=["relevance", "relevance_key"]),


use rule stage as check_relevance with:
    """Check that test items are relevant, before anything is evaluated."""
    input:
        **reads("train", "test", "facts"),
    output:
        **writes("check_relevance", relevance="results/splits/{dataset}/{split}/relevance.json"),
    log:
        log_of("check_relevance"),
    benchmark:
        benchmark_of("check_relevance")
    resources:
        **limits(mem_mb=4000, minutes=10),
    params:
        **settings("check_relevance", "relevance", "relevance_key"),
