"""Which models cannot be had on a dataset, known before it is read."""

from truerank.registry import DATASETS, MODELS, Definition


def why_left_out(model: Definition, dataset: Definition) -> str | None:
    """Say why a dataset cannot have a model, None if it can; both are definitions as in the config.

    A model that learns from attributes of users needs a source that has them, unless its settings turn them off.
    """
    learns = "users" in MODELS.of(model).facts.uses and model.get("context", True) is True
    if learns and not DATASETS.of(dataset).facts.user_attributes:
        return "it learns from attributes of users, which this dataset does not have"
    return None
