"""Ranks among sampled candidates: their law, how they are drawn, and what to expect of a metric on them."""

from truerank.registry import SAMPLERS
from truerank.sampling._core.sample import Sample
from truerank.sampling._core.simulation import simulate

__all__ = ["SAMPLERS", "Sample", "simulate"]
