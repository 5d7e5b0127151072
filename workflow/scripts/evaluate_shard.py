from truerank.stages.evaluate_shard import evaluate_shard
from truerank.stages.job import job

with job(snakemake):
    data, params = snakemake.input, snakemake.params
    evidence = {"ranks": data.ranks, "lists": data.lists, "facts": data.facts}
    split = data.train, data.user_table, data.item_table
    choices = {name: params[name] for name in ("metrics", "cutoffs", "relevance", "shard")}
    evaluate_shard(**evidence, split=split, **choices, per_user=snakemake.output.per_user)
