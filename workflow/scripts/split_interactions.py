from truerank.config.study import Study
from truerank.stages.check_relevance import check_relevance
from truerank.stages.job import job
from truerank.stages.split_interactions import split_interactions

with job(snakemake):
    given, out, params, study = snakemake.input, snakemake.output, snakemake.params, Study(snakemake.config)
    dataset, split = snakemake.wildcards.dataset, snakemake.wildcards.split
    paths = {"train": out.train, "test": out.test, "summary": out.summary}
    split_interactions(given.interactions, params.settings, dataset, split, params.seed, **paths)
    rule = study.relevance(split), study.relevance_key(split)  # no parameters: another rule makes no other split
    check_relevance(out.train, out.test, given.facts, *rule, (dataset, split))
