"""Recommenders: one family per file.

A recommender of one's own is a ``Recommender`` with ``fit`` and ``scores``, entered by ``MODELS.register``.
"""

from truerank.models._core.base import FactorModel, ItemWeightModel, Recommender, Train
from truerank.registry import MODELS

__all__ = ["MODELS", "FactorModel", "ItemWeightModel", "Recommender", "Train"]
