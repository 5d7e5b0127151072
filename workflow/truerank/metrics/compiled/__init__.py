"""Compiled inner loops of metrics, imported only when one is computed: the Snakefile reads the metrics without them."""
