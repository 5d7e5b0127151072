from truerank.stages.check_relevance import check_relevance
from truerank.stages.job import job

with job(snakemake):
    given, params = snakemake.input, snakemake.params
    names = (snakemake.wildcards.dataset, snakemake.wildcards.split)
    check_relevance(given.train, given.test, given.facts, params.relevance, params.key, names)
