from truerank.stages.correlate_metrics import correlate_metrics
from truerank.stages.job import job

with job(snakemake):
    correlate_metrics(snakemake.input.summary, snakemake.params.metrics, snakemake.output.table)
