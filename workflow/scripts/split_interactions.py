from truerank.stages.check_relevance import check_relevance, relevance_of
from truerank.stages.job import job
from truerank.stages.split_interactions import split_interactions

with job(snakemake):
    given, out, params = snakemake.input, snakemake.output, snakemake.params
    dataset, split = snakemake.wildcards.dataset, snakemake.wildcards.split
    paths = {"train": out.train, "test": out.test, "summary": out.summary}
    split_interactions(given.interactions, params.settings, dataset, split, params.seed, **paths)
    check_relevance(out.train, out.test, given.facts, *relevance_of(split), (dataset, split))
