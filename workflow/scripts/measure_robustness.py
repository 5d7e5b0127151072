from truerank.stages.job import job
from truerank.stages.measure_robustness import measure_robustness

with job(snakemake):
    data, params = snakemake.input, snakemake.params
    names = ("metrics", "cutoffs", "relevance", "undefined_users", "settings", "seed")
    choices = {name: params[name] for name in names}
    choices |= {"names": tuple(snakemake.wildcards), "threads": snakemake.threads}
    measure_robustness(list(data.ranks), data.train, **choices, table=snakemake.output.table)
