from truerank.stages.job import job
from truerank.stages.test_significance import test_significance

with job(snakemake):
    out, params = snakemake.output, snakemake.params
    choices = {name: params[name] for name in ("metrics", "undefined_users", "draws", "seed")}
    choices |= {"names": tuple(snakemake.wildcards), "threads": snakemake.threads}
    tables = {"significance": out.significance, "discriminative_power": out.discriminative_power}
    test_significance(snakemake.input.per_user, **choices, **tables)
