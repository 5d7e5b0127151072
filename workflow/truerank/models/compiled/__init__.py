"""Compiled inner loops of models, imported only when one is trained: the Snakefile reads the models without them."""
