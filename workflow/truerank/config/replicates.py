"""Replicates of a split: the same study once more with other seeds, as jobs of a split with a name of its own.

A replicate has two numbers, of its split and of its training; 1 and 1 is the study itself. Random generators are named
after the split, so another name is another seed.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

MARK = "/replicates/"
BY_TIME = "/by_time"  # the split that a study is compared with, if it asks for that


class Replicate(NamedTuple):
    """Which split, and which training on it, counted from 1."""

    split_seed: int
    training_seed: int


def replicates_of(split: str, settings: Mapping[str, int]) -> dict[str, Replicate]:
    """Return all replicates by name, the study itself first. settings : how many ``splits``, ``training`` on each."""
    numbers = [
        Replicate(own, training)
        for own in range(1, settings.get("splits", 1) + 1)
        for training in range(1, settings.get("training", 1) + 1)
    ]
    return {named(split, number): number for number in numbers}


def named(split: str, number: Replicate) -> str:
    return split if number == (1, 1) else f"{split}{MARK}{number.split_seed}-{number.training_seed}"


def is_replicate(split: str) -> bool:
    """Tell whether a split, or a job of one, is a replicate, or the study's models on a split by time."""
    return MARK in split or BY_TIME in split


def is_by_time(split: str) -> bool:
    return split.endswith(BY_TIME)


def ordinary(split: str) -> str:
    """Return the split that a replicate is of, as the config names it."""
    return split.partition("/")[0]


def rows_of(split: str) -> str:
    """Return the replicate that names the random choice of rows: trainings on one split share it."""
    name, mark, numbers = split.partition(MARK)
    return named(name, Replicate(int(numbers.partition("-")[0]), 1)) if mark else name


def settings_of(part: Mapping[str, Any]) -> dict[str, int]:
    """Return how many splits and trainings a part of a study asks for."""
    return {"splits": 1, "training": 1} | part.get("replicates", {})
