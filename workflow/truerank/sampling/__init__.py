"""Ranks among sampled candidates: their law, how they are drawn, and what to expect of a metric on them."""
