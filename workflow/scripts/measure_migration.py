from truerank.stages.job import job
from truerank.stages.measure_migration import measure_migration

with job(snakemake):
    data, params = snakemake.input, snakemake.params
    ranks = dict(zip(params.models, data.ranks, strict=True))
    split = (data.train, data.user_table, data.item_table)
    measure_migration(ranks, split, data.facts, params.settings, snakemake.output.table)
