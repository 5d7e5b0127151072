from truerank.stages.job import job
from truerank.stages.tune_model import tune_model

with job(snakemake):
    data, out, params = snakemake.input, snakemake.output, snakemake.params
    inputs = {"train": data.train, "users": data.user_table, "items": data.item_table, "facts": data.facts}
    choices = {name: params[name] for name in ("definition", "tuning", "evaluation", "seed", "code")}
    names = tuple(snakemake.wildcards)
    tune_model(**inputs, **choices, names=names, chosen=out.chosen, trials=out.trials)
