"""The jobs, one file each; a file is imported only where it is used, since no environment has all that they need."""

from importlib import import_module

CONTESTS = ("metrics", "permutation", "ranks", "weights", "em", "mes", "adaptive_em", "robustness", "drawn")
OTHERS = ("informed", "start", "millions", "study")
NAMES = CONTESTS + OTHERS


def contests(job):
    return import_module(f"bench.jobs.{job}").CONTESTS
