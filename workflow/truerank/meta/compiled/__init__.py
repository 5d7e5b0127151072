"""Compiled inner loops of the meta-evaluation."""
