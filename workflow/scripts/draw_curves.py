from truerank.stages.draw_curves import draw_curves
from truerank.stages.job import job

with job(snakemake):
    params = snakemake.params
    choices = {name: params[name] for name in ("models", "metrics", "cutoffs", "relevance", "estimators", "sizes")}
    draw_curves(snakemake.input.ranks, **choices, outputs=dict(snakemake.output.items()))
