"""Truerank: which recommender metric to trust, and what a sampled one would have been on the full catalogue."""

__version__ = "0.1.0"
