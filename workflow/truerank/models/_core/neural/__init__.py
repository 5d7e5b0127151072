"""Networks and their training in JAX, imported by a model when it fits: importing JAX takes longer than most jobs."""
