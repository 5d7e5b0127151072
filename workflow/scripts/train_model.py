from truerank.stages.job import job
from truerank.stages.train_model import train_model

with job(snakemake):
    data, params = snakemake.input, snakemake.params
    inputs = {"train": data.train, "users": data.user_table, "items": data.item_table, "chosen": data.tuning}
    outputs = {"model": snakemake.output.model, "training": snakemake.output.training}
    names = tuple(snakemake.wildcards)
    train_model(**inputs, definition=params.definition, names=names, seed=params.seed, **outputs)
