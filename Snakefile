"""Truerank: from interactions to a report on which metric, and which sampled number, can be trusted."""


include: "workflow/rules/common.smk"
include: "workflow/rules/stage.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/ranking.smk"
include: "workflow/rules/trial.smk"
include: "workflow/rules/sampling.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/together.smk"


rule all:
    """Everything that the config selects, with the receipt of every job: one that failed has none and runs again."""
    default_target: True
    input:
        targets(),
