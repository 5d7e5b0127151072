from truerank.stages.evaluate_metrics import evaluate_metrics
from truerank.stages.job import job

with job(snakemake):
    data, out, params = snakemake.input, snakemake.output, snakemake.params
    tables = {name: dict(zip(params.models, data[name], strict=True)) for name in ("ranks", "lists")}
    inputs = {"train": data.train, "users": data.user_table, "items": data.item_table, "facts": data.facts}
    inputs |= {"shards": data.shards}
    choices = {name: params[name] for name in ("metrics", "cutoffs", "relevance", "undefined_users")}
    evaluate_metrics(**tables, **inputs, **choices, per_user=out.per_user, summary=out.summary)
