from truerank.stages.job import job
from truerank.stages.judge_sampling import judge_sampling

with job(snakemake):
    data, params = snakemake.input, snakemake.params
    samples = dict(zip(params.samplers, data.samples, strict=True))
    estimates = dict(zip(map(tuple, params.pairs), data.estimates, strict=True))
    choices = {name: params[name] for name in ("samplers", "models", "metrics", "cutoffs", "relevance")}
    outputs = dict(snakemake.output.items())
    judge_sampling(data.ranks, samples, estimates, **choices, outputs=outputs)
