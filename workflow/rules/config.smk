"""Which config is read: the defaults, the user's, and the default study if that selects nothing."""


configfile: f"{workflow.basedir}/workflow/defaults.yaml"


if "select" not in config:

    configfile: f"{workflow.basedir}/config.yaml"
