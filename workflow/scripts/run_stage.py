"""Run the stage that a rule is called after. Nothing that may change is here: Snakemake would run every rule again."""

from truerank.stages.job import run

run(snakemake)
