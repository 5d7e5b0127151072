"""Figures and tables that the notebooks call."""
