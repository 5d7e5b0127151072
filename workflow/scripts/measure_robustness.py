from truerank.stages.job import job
from truerank.stages.measure_robustness import measure_robustness

with job(snakemake):
    data, params = snakemake.input, snakemake.params
    names = ("metrics", "cutoffs", "relevance", "undefined_users", "settings", "seed")
    choices = {name: params[name] for name in names}
    choices |= {"names": tuple(snakemake.wildcards), "threads": snakemake.threads}
    split = (data.train, data.user_table, data.item_table)
    measure_robustness(list(data.ranks), split, data.facts, **choices, table=snakemake.output.table)
