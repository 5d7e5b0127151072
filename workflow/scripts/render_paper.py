from truerank.stages.job import job
from truerank.stages.render_paper import render_paper
from truerank.stages.software import software

with job(snakemake):
    notebook, published = snakemake.input.notebook, snakemake.input.published
    paths = {"html": snakemake.output.html, "tables": f"results/report/paper/{snakemake.wildcards.paper}"}
    facts = {"config": snakemake.params.config, "provenance": software(notebook)}
    render_paper(notebook, "results", published, **facts, **paths, executed=snakemake.log.notebook)
