"""From definitions in the config to estimators, and what they need of samplers and of each other."""

from typing import Any

from truerank.estimators._core.base import UNIFORM, Fitting, PriorWeighting
from truerank.registry import ESTIMATORS, SAMPLERS, Definition


def make_estimator(definition: Definition) -> Any:
    """Return the estimator, a ``Weighting`` or a ``Fitting``, of a definition such as ``{"kind": "mle"}``."""
    return ESTIMATORS.make(definition)


def fits(definition: Definition) -> bool:
    """Tell whether an estimator fits P(R), which others may take as their prior."""
    return issubclass(ESTIMATORS.of(definition).make, Fitting)


def implies(definition: Definition) -> bool:
    """Tell whether the weights of an estimator imply a P(R)."""
    return issubclass(ESTIMATORS.of(definition).make, PriorWeighting)


def needed_fit(name: str, definition: Definition) -> str | None:
    """Return the name of the estimator whose P(R) the one called ``name`` needs, None if it needs none."""
    if fits(definition):
        return name
    prior = definition.get("prior", UNIFORM)
    return None if prior == UNIFORM else prior


def applies(estimator: Definition, sampler: Definition) -> bool:
    """Tell whether an estimator takes what a sampler gives; both are definitions."""
    return SAMPLERS.of(sampler).facts.gives in ESTIMATORS.of(estimator).facts.takes


def draws_alike(sampler: Definition) -> bool:
    """Tell whether a sampler draws the same number of negatives for everybody, all candidates alike."""
    return SAMPLERS.of(sampler).facts.gives == "ranks" and "negatives" in sampler
