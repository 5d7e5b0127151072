"""Recommenders: one family per file."""
