from truerank.stages.job import job
from truerank.stages.render_index import render_index
from truerank.stages.software import software

with job(snakemake):
    notebook = snakemake.input.notebook
    facts = {"config": snakemake.params.config, "provenance": software(notebook)}
    render_index(notebook, "results", **facts, html=snakemake.output.html, executed=snakemake.log.notebook)
