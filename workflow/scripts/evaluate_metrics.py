from truerank.stages.evaluate_metrics import evaluate_metrics
from truerank.stages.job import job

with job(snakemake):
    out, params = snakemake.output, snakemake.params
    ranks = dict(zip(params.models, snakemake.input.ranks, strict=True))
    choices = {name: params[name] for name in ("metrics", "cutoffs", "relevance", "undefined_users")}
    evaluate_metrics(ranks, **choices, per_user=out.per_user, summary=out.summary)
