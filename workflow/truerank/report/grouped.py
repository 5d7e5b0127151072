"""Which models are really different under one metric, from the tests of all their pairs."""

from itertools import combinations
from string import ascii_lowercase

import numpy as np

from truerank.meta.groups import groups
from truerank.report.study import Part

ALPHA = 0.05  # after Holm's adjustment


def alike(part: Part, metric: str, k: str) -> list[list[str]]:
    """The largest groups of models, best first, of which the metric tells no two apart; none where it is not tested."""
    models = list(part.standings(metric, k)["model"])
    p_values = {pair: part.p_values.get((metric, k, frozenset(pair))) for pair in combinations(models, 2)}
    if len(models) < 2 or None in p_values.values():
        return []
    place = {model: number for number, model in enumerate(models)}
    separated = np.zeros((len(models), len(models)), bool)
    for (one, other), p_value in p_values.items():
        separated[place[one], place[other]] = separated[place[other], place[one]] = p_value < ALPHA  # type: ignore[operator]  # none is None
    return [[models[member] for member in group] for group in groups(separated)]


def letters(part: Part, metric: str, k: str) -> dict[str, str]:
    """The letters of each model's groups: two models share one exactly where the metric does not tell them apart."""
    found: dict[str, str] = {}
    for number, group in enumerate(alike(part, metric, k)):
        for model in group:
            found[model] = found.get(model, "") + letter(number)
    return found


def letter(number: int) -> str:
    """a to z, then a1 to z1 and so on."""
    again, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(again) if again else "")


def n_separated(part: Part, metric: str, k: str) -> tuple[int, int]:
    """How many pairs of models the metric tells apart, and of how many."""
    tested = [p for (name, cut_off, _), p in part.p_values.items() if (name, cut_off) == (metric, k)]
    return sum(p < ALPHA for p in tested), len(tested)
