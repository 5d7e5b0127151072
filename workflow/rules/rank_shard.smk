rule rank_shard:
    """Rank the test items of some users exactly among all candidates, and list these users' best items."""
    input:
        train="results/splits/{dataset}/{split}/train.parquet",
        test="results/splits/{dataset}/{split}/test.parquet",
        user_table="results/datasets/{dataset}/users.parquet",
        item_table="results/datasets/{dataset}/items.parquet",
        model="results/models/{dataset}/{split}/{model}/model.npz",
        receipts=[
            "results/receipts/fetch_dataset/{dataset}.json",
            "results/receipts/split_interactions/{dataset}/{split}.json",
            "results/receipts/train_model/{dataset}/{split}/{model}.json",
        ],
    output:
        ranks=update("results/shards/ranks/{dataset}/{split}/{model}/{shard}.parquet"),
        lists=update("results/shards/lists/{dataset}/{split}/{model}/{shard}.parquet"),
        receipt="results/receipts/rank_shard/{dataset}/{split}/{model}/{shard}.json",
    log:
        "results/logs/rank_shard/{dataset}/{split}/{model}/{shard}.log",
    benchmark:
        "results/benchmarks/rank_shard/{dataset}/{split}/{model}/{shard}.tsv"
    conda:
        "../../envs/truerank.yaml"
    threads: 1
    resources:
        mem_mb=8000,
        runtime=120,
    params:
        definition=definition("models"),
        ties=config["ties"],
        depth=lambda wildcards: study.depth(wildcards.split),
        seed=config["seed"],
        names=lambda wildcards: (wildcards.dataset, wildcards.split, wildcards.model),
        shard=number_and_count,
        code=code_of("rank_shard", MODELS, "models"),
    script:
        "../scripts/rank_shard.py"
