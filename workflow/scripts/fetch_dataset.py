from truerank.stages.fetch_dataset import fetch_dataset
from truerank.stages.job import job

with job(snakemake):
    out, params = snakemake.output, snakemake.params
    tables = {"interactions": out.interactions, "users": out.user_table, "items": out.item_table}
    fetch_dataset(snakemake.wildcards.dataset, params.settings, params.seed, **tables, summary=out.summary)
