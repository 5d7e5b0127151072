from truerank.stages.job import job
from truerank.stages.rank_shard import rank_shard

with job(snakemake):
    data, out, params = snakemake.input, snakemake.output, snakemake.params
    split = {"train": data.train, "test": data.test, "users": data.user_table, "items": data.item_table}
    choices = {name: params[name] for name in ("definition", "ties", "depth", "seed", "names", "shard")}
    rank_shard(**split, model=data.model, **choices, threads=snakemake.threads, ranks=out.ranks, lists=out.lists)
