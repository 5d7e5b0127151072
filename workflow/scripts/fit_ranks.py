from truerank.stages.fit_ranks import fit_ranks
from truerank.stages.job import job

with job(snakemake):
    fit_ranks(snakemake.input.samples, snakemake.params.estimator, snakemake.output.fit)
