"""Compiled inner loops of models, imported only when one is fitted: the Snakefile reads the models without them."""

# Sums may be taken in any order, which vectors need; what is not finite stays so, and can be noticed.
FAST = {"nogil": True, "cache": True, "error_model": "numpy", "fastmath": {"reassoc", "contract", "arcp", "nsz", "afn"}}
