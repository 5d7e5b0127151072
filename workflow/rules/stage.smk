"""What all rules have in common; they inherit it."""


rule stage:
    """Run the stage that a rule is called after, in the locked environment: the rule that all others start from."""
    log:
        "results/logs/stage.log",
    conda:
        "../../envs/truerank.yaml"
    script:
        "../scripts/run_stage.py"
