from truerank.stages.draw_shard import draw_shard
from truerank.stages.job import job

with job(snakemake):
    params = snakemake.params
    choices = {name: params[name] for name in ("models", "sampler", "relevance", "ties", "seed", "names", "shard")}
    draw_shard(snakemake.input, **choices, samples=snakemake.output.samples)
