"""Metrics: one idea per file, values per user or per system out."""
