from truerank.stages.job import job
from truerank.stages.verdict import verdict

with job(snakemake):
    names = ("significance", "discriminative_power", "robustness", "order")
    tables = {name: next(iter(snakemake.input[name]), None) for name in names}
    choices = {name: snakemake.params[name] for name in ("samplers", "beside")}
    verdict(**tables, **choices, verdict=snakemake.output.verdict)
