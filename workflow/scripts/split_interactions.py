from truerank.stages.job import job
from truerank.stages.split_interactions import split_interactions

with job(snakemake):
    out, params = snakemake.output, snakemake.params
    dataset, split = snakemake.wildcards.dataset, snakemake.wildcards.split
    paths = {"train": out.train, "test": out.test, "summary": out.summary}
    split_interactions(snakemake.input.interactions, params.settings, dataset, split, params.seed, **paths)
