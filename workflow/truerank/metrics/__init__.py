"""Ranking metrics: one idea per file, per-user values out."""
