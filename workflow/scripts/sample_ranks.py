from truerank.stages.job import job
from truerank.stages.sample_ranks import sample_ranks

with job(snakemake):
    params = snakemake.params
    choices = {name: params[name] for name in ("models", "sampler", "relevance", "ties", "seed")}
    names = tuple(snakemake.wildcards)
    sample_ranks(snakemake.input, **choices, names=names, samples=snakemake.output.samples)
