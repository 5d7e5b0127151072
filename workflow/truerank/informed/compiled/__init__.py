"""Compiled loops of informed evaluation."""
