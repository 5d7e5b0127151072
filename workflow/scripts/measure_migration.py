from truerank.stages.job import job
from truerank.stages.measure_migration import measure_migration

with job(snakemake):
    data, params = snakemake.input, snakemake.params
    ranks = dict(zip(params.models, data.ranks, strict=True))
    measure_migration(ranks, data.summary, params.settings, snakemake.output.table)
