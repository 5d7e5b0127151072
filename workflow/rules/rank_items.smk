rule rank_items:
    """Rank every test item of a model exactly among all candidates, and list each user's best items."""
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
        rank_shards=every_shard("results/shards/ranks/{dataset}/{split}/{model}/{shard}.parquet"),
        list_shards=every_shard("results/shards/lists/{dataset}/{split}/{model}/{shard}.parquet"),
        shard_receipts=every_shard("results/receipts/rank_shard/{dataset}/{split}/{model}/{shard}.json"),
    output:
        ranks=update("results/ranks/{dataset}/{split}/{model}.parquet"),
        lists=update("results/lists/{dataset}/{split}/{model}.parquet"),
        receipt="results/receipts/rank_items/{dataset}/{split}/{model}.json",
    log:
        "results/logs/rank_items/{dataset}/{split}/{model}.log",
    benchmark:
        "results/benchmarks/rank_items/{dataset}/{split}/{model}.tsv"
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
        code=code_of("rank_items", MODELS, "models"),
    script:
        "../scripts/rank_items.py"
