"""Compiled inner loops of models, imported only when one is fitted: the Snakefile reads the models without them."""
