from truerank.stages.job import job
from truerank.stages.verdict import verdict

with job(snakemake):
    names = ("significance", "discriminative_power", "robustness", "order")
    tables = {name: next(iter(snakemake.input[name]), None) for name in names}
    verdict(**tables, samplers=snakemake.params.samplers, verdict=snakemake.output.verdict)
