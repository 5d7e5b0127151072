from truerank.stages.job import job
from truerank.stages.rank_items import rank_items

with job(snakemake):
    data, out, params = snakemake.input, snakemake.output, snakemake.params
    split = {"train": data.train, "test": data.test, "users": data.user_table, "items": data.item_table}
    choices = {"definition": params.definition, "ties": params.ties, "seed": params.seed}
    names = tuple(snakemake.wildcards)
    rank_items(
        **split,
        model=data.model,
        names=names,
        **choices,
        threads=snakemake.threads,
        ranks=out.ranks,
        lists=out.lists,
    )
