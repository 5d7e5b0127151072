"""What a rule carries so that a change of code, and only of code that it runs, makes it run again."""


def code_of(stage, registry, section, *others, kind="kind"):
    """Return a function from wildcards to the fingerprint of a stage, the registered piece that it runs, and others."""

    def code(wildcards):
        return fingerprint(stage, registry[definition(section)(wildcards)[kind]].module, *others)

    return code


def modules_of(registry, definitions):
    """Return the modules of the registered pieces that some definitions use."""
    return {registry[definition["kind"]].module for definition in definitions}


def code_of_metrics(stage):
    """Return a function from wildcards to the fingerprint of the stage and of all metrics of the split."""
    return lambda wildcards: fingerprint(stage, *modules_of(METRICS, study.metrics(wildcards.split).values()))


def code_of_sampled(stage, *others):
    """Return the fingerprint of a stage of the sampling part, of its metrics and of ``others``."""
    return fingerprint(stage, *modules_of(METRICS, study.sampled_metrics().values()), *others)


def code_of_draws(stage):
    """Return a function from wildcards to the fingerprint of the stage, of the sampler and of all models that it asks."""

    def code(wildcards):
        models = (config["models"][name] for name in study.drawn_models(wildcards.sampler, wildcards.dataset))
        return code_of(stage, SAMPLERS, "samplers", *modules_of(MODELS, models))(wildcards)

    return code
