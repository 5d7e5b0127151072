"""Ranks among sampled candidates: their distribution, how they are drawn, and the expectation of a metric on them."""

from truerank.registry import SAMPLERS
from truerank.sampling._core.sample import Sample
from truerank.sampling._core.simulation import simulate

__all__ = ["SAMPLERS", "Sample", "simulate"]
