from truerank.stages.job import job
from truerank.stages.sample_ranks import sample_ranks

with job(snakemake):
    params = snakemake.params
    choices = {name: params[name] for name in ("models", "sampler", "relevance", "ties", "seed")}
    choices |= {"names": tuple(snakemake.wildcards), "shards": snakemake.input.shards}
    sample_ranks(snakemake.input, **choices, samples=snakemake.output.samples)
