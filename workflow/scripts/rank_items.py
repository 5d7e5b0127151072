from truerank.stages.job import job
from truerank.stages.rank_items import rank_items

with job(snakemake):
    data, out, params = snakemake.input, snakemake.output, snakemake.params
    split = {"train": data.train, "test": data.test, "users": data.user_table, "items": data.item_table}
    choices = {name: params[name] for name in ("definition", "ties", "depth", "seed")}
    choices |= {"names": tuple(snakemake.wildcards), "threads": snakemake.threads}
    shards = {"rank_shards": data.rank_shards, "list_shards": data.list_shards}
    rank_items(**shards, **split, model=data.model, **choices, ranks=out.ranks, lists=out.lists)
