"""From definitions in the config to estimators, and what they need of samplers and of each other."""

from truerank.estimators._core.base import UNIFORM, Fitting
from truerank.registry import ESTIMATORS, SAMPLERS


def make_estimator(definition):
    """Return the estimator of a definition as in the config, ``{"kind": .., settings}``."""
    return ESTIMATORS.make(definition)


def fits(definition):
    """Tell whether an estimator fits P(R), which others may take as their prior."""
    return issubclass(ESTIMATORS.of(definition).make, Fitting)


def needed_fit(name, definition):
    """Return the name of the estimator whose P(R) the one called ``name`` needs, None if it needs none."""
    if fits(definition):
        return name
    prior = definition.get("prior", UNIFORM)
    return None if prior == UNIFORM else prior


def applies(estimator, sampler):
    """Tell whether an estimator takes what a sampler gives; both are definitions."""
    return SAMPLERS.of(sampler).facts.gives in ESTIMATORS.of(estimator).facts.takes
