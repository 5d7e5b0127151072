from truerank.stages.estimate_metrics import estimate_metrics
from truerank.stages.job import job

with job(snakemake):
    data, params = snakemake.input, snakemake.params
    fit = data.fit[0] if data.fit else None
    choices = {name: params[name] for name in ("estimator", "metrics", "cutoffs")}
    estimate_metrics(data.samples, fit, **choices, estimates=snakemake.output.estimates)
