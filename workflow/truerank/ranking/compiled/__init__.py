"""Compiled inner loops of exact ranking."""
