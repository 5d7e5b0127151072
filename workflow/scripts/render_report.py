from truerank.stages.job import job
from truerank.stages.render_report import render_report
from truerank.stages.software import software

with job(snakemake):
    dataset, notebook = snakemake.wildcards.dataset, snakemake.input.notebook
    paths = {"html": snakemake.output.html, "tables": f"results/report/tables/{dataset}"}
    paths |= {"figures": f"results/report/figures/{dataset}", "executed": snakemake.log.notebook}
    facts = {"config": snakemake.params.config, "provenance": software(notebook)}
    render_report(notebook, "results", dataset, **facts, **paths)
