rule sample_ranks:
    """Rank relevant test items among sampled candidates, for all models and repeats."""
    input:
        ranks=every_sampled_of("results/ranks/{dataset}/{split}/{model}.parquet", needs="ranks"),
        models=every_sampled_of("results/models/{dataset}/{split}/{model}/model.npz", needs="models"),
        train=every_sampled_of("results/splits/{dataset}/{split}/train.parquet", needs="models"),
        test=every_sampled_of("results/splits/{dataset}/{split}/test.parquet", needs="models"),
        user_table=every_sampled_of("results/datasets/{dataset}/users.parquet", needs="models"),
        item_table=every_sampled_of("results/datasets/{dataset}/items.parquet", needs="models"),
        rank_receipts=every_sampled_of("results/receipts/rank_items/{dataset}/{split}/{model}.json", needs="ranks"),
        receipts=every_sampled_of(
            "results/receipts/fetch_dataset/{dataset}.json",
            "results/receipts/split_interactions/{dataset}/{split}.json",
            "results/receipts/train_model/{dataset}/{split}/{model}.json",
            needs="models",
        ),
        shards=every_shard("results/shards/samples/{dataset}/{split}/{sampler}/{shard}.npz", needs="models"),
        shard_receipts=every_shard(
            "results/receipts/draw_shard/{dataset}/{split}/{sampler}/{shard}.json", needs="models"
        ),
        relevant="results/receipts/check_relevance/{dataset}/{split}.json",
    output:
        samples=update("results/samples/{dataset}/{split}/{sampler}.npz"),
        receipt="results/receipts/sample_ranks/{dataset}/{split}/{sampler}.json",
    log:
        "results/logs/sample_ranks/{dataset}/{split}/{sampler}.log",
    benchmark:
        "results/benchmarks/sample_ranks/{dataset}/{split}/{sampler}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=8000,
        runtime=60,
    params:
        models=lambda wildcards: {name: config["models"][name] for name in study.sampled_models(wildcards.dataset)},
        sampler=definition("samplers"),
        relevance=lambda wildcards: study.relevance(wildcards.split),
        ties=config["ties"],
        seed=config["seed"],
        code=code_of_draws("sample_ranks"),
    script:
        "../scripts/sample_ranks.py"
