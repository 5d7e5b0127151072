rule draw_shard:
    """Rank some of the relevant test items among candidates that are drawn and scored, for all models and repeats."""
    input:
        models=every_sampled_of("results/models/{dataset}/{split}/{model}/model.npz"),
        train=["results/splits/{dataset}/{split}/train.parquet"],
        test=["results/splits/{dataset}/{split}/test.parquet"],
        user_table=["results/datasets/{dataset}/users.parquet"],
        item_table=["results/datasets/{dataset}/items.parquet"],
        receipts=[
            "results/receipts/fetch_dataset/{dataset}.json",
            "results/receipts/split_interactions/{dataset}/{split}.json",
        ],
        model_receipts=every_sampled_of("results/receipts/train_model/{dataset}/{split}/{model}.json"),
        relevant="results/receipts/check_relevance/{dataset}/{split}.json",
    output:
        samples=update("results/shards/samples/{dataset}/{split}/{sampler}/{shard}.npz"),
        receipt="results/receipts/draw_shard/{dataset}/{split}/{sampler}/{shard}.json",
    log:
        "results/logs/draw_shard/{dataset}/{split}/{sampler}/{shard}.log",
    benchmark:
        "results/benchmarks/draw_shard/{dataset}/{split}/{sampler}/{shard}.tsv"
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
        names=lambda wildcards: (wildcards.dataset, wildcards.split, wildcards.sampler),
        shard=number_and_count,
        code=code_of_draws("draw_shard"),
    script:
        "../scripts/draw_shard.py"
