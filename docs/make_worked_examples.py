"""Write docs/worked-examples.md, computed by the package: ``.venv/bin/python docs/make_worked_examples.py``."""

from collections.abc import Iterator, Mapping, Sequence
from math import log2
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from truerank.metrics._core.judged import JudgedRanks
from truerank.registry import METRICS

PAGE = Path(__file__).with_name("worked-examples.md")
HEAD = """# Worked examples

Written by `docs/make_worked_examples.py`, which computes every value with the metrics of this package; a test compares
each with a calculation by hand, and keeps this page current. "Printed" is the figure in the source.
If it is not our value rounded, the last column says why; a dash marks a question without a printed answer.
"""
SLIDES = "Recommender systems: evaluation metrics (slides by Nguyen Ngoc Thao, after Jalili et al. 2018)"
PAPER = "Aftab & Ramampiaro 2022, doi:10.1109/ACCESS.2022.3159646"
RANKED = "+++-+-+-++--+-------"
FOUND = "+-++---+-"


class Example(NamedTuple):
    """One figure. data : actual and predicted ratings, or one list in order of rank. value : worked out by hand.

    settings : of the metric, and of the data ``scale`` and ``threshold``, the least relevant rating.
    """

    source: str
    title: str
    data: tuple[Sequence[float], ...]
    metric: str
    value: float
    printed: str | None = None
    settings: Mapping[str, Any] = {}
    note: str = ""

    @property
    def name(self) -> str:
        """The metric with its cut-off and settings."""
        given = {name: value for name, value in self.settings.items() if name not in ("k", "scale", "threshold")}
        at = f"@{self.settings['k']}" if "k" in self.settings else ""
        return f"{self.metric}{at}" + "".join(f", {name} {value}" for name, value in given.items())

    @property
    def computed(self) -> float:
        """What the package gives for the one user of the example."""
        settings = dict(self.settings)
        judged = one_user(*self.data, scale=settings.pop("scale", None), threshold=settings.pop("threshold", 1))
        entry = METRICS[self.metric]
        if entry.has_cutoff:
            settings["k"] = np.array([settings.get("k", np.inf)])
        return float(np.ravel(entry.make(judged, **settings))[0])


def one_user(
    actual: Sequence[float],
    predicted: Sequence[float] | None = None,
    scale: tuple[float, float] | None = None,
    threshold: float = 1,
) -> JudgedRanks:
    """Return the table of one user who judged all candidates: ranked by prediction, or as they stand."""
    rating = np.array(actual, float)
    place = np.arange(len(rating)) if predicted is None else np.argsort(-np.array(predicted, float), kind="stable")
    rank = np.empty(len(rating), int)
    rank[place] = np.arange(1, len(rating) + 1)
    guess = None if predicted is None else np.array(predicted, float)
    user, n = np.zeros(len(rating), int), np.full(len(rating), len(rating))
    return JudgedRanks(user, rank, rating >= threshold, n, rating, guess, scale=scale)


def signs(text: str) -> tuple[list[int]]:
    return ([int(sign == "+") for sign in text],)


def of_slides() -> Iterator[Example]:
    """Yield the examples of the slides, then their questions Q1 to Q5."""
    data = [12, 15, 20, 16, 20, 19, 16, 20, 16, 76], [14, 15, 18, 19, 25, 18, 12, 12, 15, 22]
    title, scale = "MAE and RMSE: an example, scores from 1 to 100", {"scale": (1, 100)}
    wrong = "the errors squared sum to 3,040, and the root of 304 is 17.4356"
    yield Example(SLIDES, title, data, "mae_micro", 8, "8", scale)
    yield Example(SLIDES, title, data, "rmse_micro", 304**0.5, "16.4356", scale, wrong)
    yield Example(SLIDES, title, data, "nmae_micro", 8 / 99, None, scale)
    yield Example(SLIDES, title, data, "nrmse_micro", 304**0.5 / 99, None, scale)
    data = [43, 42, 40, 36, 33, 31, 30, 29, 27, 16], [12, 6, 17, 7, 29, 50, 27, 28, 20, 2]
    yield Example(
        SLIDES, "Pearson and Spearman: an example", data, "pearson", -736 / (5_921 * 18_556) ** 0.5, "-0.0702"
    )
    yield Example(SLIDES, "Pearson and Spearman: an example", data, "spearman", 1 - 6 * 194 / 990, "-0.17576")
    data = [-1, -2, -3, -4, -5, -6], [-3, -1, -4, -2, -6, -5]
    yield Example(SLIDES, "Kendall tau: an example, ranks", data, "kendall", 7 / 15, "0.47")
    title, at = "Precision and recall: an example", {"k": 10}
    yield Example(SLIDES, title, signs(RANKED), "precision", 7 / 10, "0.7", at)
    yield Example(SLIDES, title, signs(RANKED), "recall", 7 / 8, "0.88", at)
    yield Example(SLIDES, title, signs(RANKED), "f1", 14 / 18, "0.8", at)
    title, relevancy = "NDCG: an example", ([3, 2, 3, 0, 1, 2],)
    yield Example(SLIDES, title, relevancy, "dcg", discounted([3, 2, 3, 0, 1, 2]), "6.861")
    yield Example(
        SLIDES, f"{title}, the best order", ([3, 3, 2, 2, 1, 0],), "dcg", discounted([3, 3, 2, 2, 1, 0]), "7.141"
    )
    yield Example(
        SLIDES, title, relevancy, "ndcg", discounted([3, 2, 3, 0, 1, 2]) / discounted([3, 3, 2, 2, 1, 0]), "0.961"
    )
    title = "RBP: the probability to view an item, with p = 0.8, times 1 - p"
    for place in (1, 2, 3):
        alone = signs("-" * (place - 1) + "+" + "-" * (3 - place))
        printed = {1: "1 x 0.2", 2: "0.8 x 0.2", 3: "0.8^2 x 0.2"}[place]
        yield Example(SLIDES, f"{title}, place {place}", alone, "rbp", 0.2 * 0.8 ** (place - 1), printed, {"p": 0.8})
    data, scale = ([3, 6, 3, 6, 7, 5, 4, 5, 7, 5], [4, 7, 6, 5, 7, 3, 5, 7, 4, 3]), {"scale": (1, 10)}
    by_hand = {"mae_micro": 1.6, "nmae_micro": 1.6 / 9, "rmse_micro": 3.4**0.5, "nrmse_micro": 3.4**0.5 / 9}
    for metric, value in by_hand.items():
        yield Example(SLIDES, "Q1, scores from 1 to 10", data, metric, value, None, scale)
    yield Example(SLIDES, "Q2", data, "pearson", 3.9 / (22.9 * 18.9) ** 0.5)
    yield Example(SLIDES, "Q2, ties have their mean rank", data, "spearman", 17.25 / 79)
    yield Example(
        SLIDES, "Q3, 11 pairs agree and 4 do not", ([3, 6, 4, 7, 5, 9], [4, 7, 6, 5, 3, 8]), "kendall", 7 / 15
    )
    hits = [1, 1, 2, 3, 3, 3, 3, 4, 4]
    for k, found in enumerate(hits, start=1):
        by_hand = {"precision": found / k, "recall": found / 4, "f1": 2 * found / (k + 4)}
        for metric, value in by_hand.items():
            yield Example(SLIDES, f"Q4, place {k}", signs(FOUND), metric, value, None, {"k": k})
    data, jarvelin = ([2, 1, 4, 5], [3.23, 2.13, 3.12, 4.58]), {"jarvelin_base": 2}
    seen, best = (5 + two + three / log2(3) + 1 / log2(4) for two, three in ((2, 4), (4, 2)))
    yield Example(SLIDES, "Q5", data, "dcg", seen, "10.0237", jarvelin)
    yield Example(SLIDES, "Q5, the best order", ([5, 4, 2, 1],), "dcg", best, "10.7619", jarvelin)
    yield Example(SLIDES, "Q5", data, "ndcg", seen / best, "0.9314", jarvelin)


def of_paper() -> Iterator[Example]:
    """Yield the two pairs of lists of section I, and the four lists of section V-C."""
    title = "section I, lists with equal MAP at 3"
    for ratings in ([5, 5, 3, 3, 3], [3, 3, 5, 5, 5]):
        yield Example(PAPER, title, (ratings,), "ap_min", 1, "the same", {"k": 3, "threshold": 3})
    title = "section I, lists with equal NDCG"
    for ratings in ([3, 3, 3, 2], [5, 5, 4, 4, 3]):
        yield Example(PAPER, title, (ratings,), "ndcg", 1, "the same")
    title = "section V-C, list {}"
    lists = [  # actual, predicted, squared errors
        ([3, 3, 4, 3, 5], [5, 5, 4, 4, 4], [4, 4, 0, 1, 1]),
        ([4, 3, 2, 2, 1], [5, 5, 5, 4, 4], [1, 4, 9, 4, 9]),
        ([5, 5, 4, 4, 4], [5, 3, 2, 1, 1], [0, 4, 4, 9, 9]),
        ([1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [0, 0, 0, 1, 1]),
    ]
    printed = ("0.15", "misprint: a digit of .015 is missing"), ("0.29", "the paper truncates .2959"), ("0.35", "")
    printed += (("0.35", "misprint: the figure of the previous list is repeated"),)
    for place, (actual, predicted, errors) in enumerate(lists, start=1):
        full, threshold = ("ap", 3) if place == 1 else ("ndcg", 1)
        named, data = title.format(place), (actual, predicted)
        yield Example(PAPER, named, data, full, 1, "1", {"threshold": threshold})
        seen, worst = discounted(errors), discounted(sorted(errors, reverse=True))
        figure, note = printed[place - 1]
        yield Example(PAPER, named, data, "sdcse_accuracy", 1 - seen / worst, figure, {}, note)
        for metric, value in (("cse", sum(errors)), ("dcse", seen), ("wdcse", worst)):
            yield Example(PAPER, named, data, metric, value)


def discounted(errors: Sequence[float]) -> float:
    return sum(error / log2(place + 1) for place, error in enumerate(errors, start=1))


def examples() -> list[Example]:
    return [*of_slides(), *of_paper()]


def page() -> str:
    """Return the page: a table for each source."""
    parts = [HEAD]
    for source in (SLIDES, PAPER):
        rows = [row(example) for example in examples() if example.source == source]
        parts.append(
            f"## {source}\n\n| example | metric | printed | value | |\n|---|---|---|---|---|\n" + "".join(rows)
        )
    return "\n".join(parts)


def row(example: Example) -> str:
    printed = "\N{EN DASH}" if example.printed is None else example.printed
    return f"| {example.title} | `{example.name}` | {printed} | {example.computed:.5g} | {example.note} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
