"""Bounds of full-catalogue metrics from sampled ranks, or from a printed table of sampled metrics."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from reprlib import repr as shortened
from typing import Any

import numpy as np
import pandas as pd

from truerank.api.answers import ranks_of_answers
from truerank.api.checks import MOST_ITEMS, asked_once, check_confidence, check_count, percent
from truerank.api.designs import Sampled, design_of, ranks_seen
from truerank.api.ranks import SampledRanks
from truerank.api.results import Result
from truerank.bounding.designs import Adaptive, Weighted
from truerank.bounding.laws import ASSUMPTIONS
from truerank.bounding.limits import (
    Figure,
    counts_printed_as,
    is_possible,
    limits_of_figures,
    limits_of_ranks,
    limits_of_users,
    outcomes_near,
)
from truerank.bounding.metrics import metric_bounds
from truerank.bounding.program import Limits
from truerank.bounding.search import NoLawError
from truerank.bounding.successive import Successive
from truerank.errors import UserError
from truerank.metrics._core.names import Asked, parse_metric
from truerank.metrics._core.single import metric_of_rank
from truerank.registry import METRICS

MOST_USERS = 10**9
TOLD = {
    "monotone": "assumed: the probability of an exact rank never increases with the rank",
    "smooth": "assumed: the chance of an exact rank, plus 1/N, changes at most by a factor of 4 where the rank doubles",
}


@dataclass(frozen=True)
class Bounds(Result):
    """Bounds of metrics on all items."""

    bounds: pd.DataFrame
    remarks: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.remarks


@dataclass(frozen=True)
class SystemBounds(Bounds):
    """Bounds of metrics on all items, and which orders of systems are determined."""

    pairs: pd.DataFrame


def bounds(
    given: Any,
    *,
    items: Any,
    negatives: int | Sequence[int],
    users: Any = None,
    metrics: Iterable[str] = ("recall@10",),
    confidence: float = 0.95,
    assume: str | None = None,
    replace: bool = False,
    popularity: Any = None,
    power: float = 1.0,
    test: Any = None,
) -> Bounds:
    """Return the range of every metric that is consistent with a sample, for any distribution of exact ranks.

    given : ranks from 1 to ``negatives`` + 1 (an array, a frame with ``rank``, a path); or printed numbers, such as
    ``{"hr@10": ".684", "ndcg@10": ".41"}``; or a mapping from systems to such numbers. items : the number of candidates
    of the full ranking. users : for ranks, the user of each rank; for printed numbers, the number of users.
    assume : ``monotone`` or ``smooth``. replace : whether the negatives were drawn with replacement. negatives : their
    number; for adaptive samples all set sizes, and the ranks then need a column ``negatives``. popularity, power : the
    interaction counts of all items, or a path to them, and the exponent, if negatives were drawn by popularity.
    test : test rows (user, item), if ``given`` has the candidates of each user in the order of, for example, a language
    model; ``items`` may then be ids, and ids that are not among them are removed and counted in a note.

    ``.bounds`` has metric, k, low, high (and system). ``.pairs``, for several systems, has system_a, system_b, metric,
    k, low and high of the difference a - b, and determined.

    >>> import truerank as tr
    >>> found = tr.bounds({"hr@1": ".21", "hr@10": ".684"}, items=3706, negatives=100, users=6040)
    >>> found.bounds.round(2).to_dict("records")
    [{'metric': 'recall', 'k': '10', 'low': 0.0, 'high': 0.29}]
    """
    check_confidence(confidence)
    answered: list[str] = []
    if test is not None:
        given, items, answered = ranks_of_answers(
            given, test, items, check_count("negatives", negatives, 1, MOST_ITEMS)
        )
    design = design_of(items, negatives, replace, popularity, power)
    if assume not in ASSUMPTIONS:
        known = ", ".join(name for name in ASSUMPTIONS if name)
        raise UserError(f"assume is {shortened(assume)}, expected one of: {known}; correct it or leave it out")
    asked = asked_once(metrics)
    remarks = [*answered, *(each.note for each in asked if each.note)]
    remarks += [TOLD[assume]] if assume else []
    if not isinstance(given, Mapping):
        ranks = ranks_seen(given, design, users)
        limits = limits_of(ranks, design, asked, confidence)
        frame = frame_of(asked, bounds_or_sentence(design, limits, asked, assume, confidence))
        return Bounds(frame, remarks=(*about_ranks(ranks, items, confidence), *remarks))
    if isinstance(design, Adaptive):
        raise UserError("negatives are several, expected one number with printed figures; give that of their sets")
    n_users = number_of_users(users)
    systems = given if any(isinstance(each, Mapping) for each in given.values()) else {"": given}
    level = 1 - (1 - confidence) / len(systems)
    frames = {}
    for system, printed in systems.items():
        figures = read_figures(printed, design.negatives, n_users, system)
        found = bounds_or_sentence(design, limits_of_figures(figures, n_users, level), asked, assume, level, system)
        frames[system] = frame_of(asked, found)
    n_figures = sum(len(printed) for printed in systems.values())
    remarks = [*about_figures(n_figures, len(systems), n_users, items, confidence), *remarks]
    if "" in systems:
        return Bounds(frames[""], remarks=tuple(remarks))
    whole = pd.concat([frame.assign(system=name) for name, frame in frames.items()], ignore_index=True)
    columns = ["system", "metric", "k", "low", "high"]
    return SystemBounds(whole[columns], pairs_of(frames), remarks=tuple(remarks))


def limits_of(ranks: SampledRanks, design: Sampled, asked: Iterable[Asked], confidence: float) -> Limits:
    """Return the limits that ranks set, with those that matter at the cut-offs that are asked for."""
    shares = ranks.shares(design.n_outcomes - 1)
    near = outcomes_near(design, [each.k for each in asked])
    if ranks.user is None:
        return limits_of_ranks(shares, confidence, near)
    return limits_of_users(shares / ranks.n_users, ranks.n_users, confidence, near)


def bounds_or_sentence(
    design: Sampled, limits: Limits, asked: list[Asked], assume: str | None, confidence: float, system: str = ""
) -> list[tuple[float, float]]:
    """Return the bounds, or say that nothing explains the sample."""
    try:
        return metric_bounds(design, limits, [(each.name, METRICS.named(each.name), each.k) for each in asked], assume)
    except NoLawError:
        whose = f"of system {system!r} " if system else ""
        what = f"under the assumption {assume!r} " if assume else ""
        remedy = f"leave {assume!r} out, or " if assume else ""
        raise UserError(
            f"no distribution of ranks among {design.n_items:,} items {what}explains the sample {whose}with "
            f"{drawn_how(design)}, at {percent(confidence)} confidence; {remedy}check items and negatives, and that "
            "candidates were drawn so"
        ) from None


def drawn_how(design: Sampled) -> str:
    if isinstance(design, Adaptive):
        return f"adaptive sets of {', '.join(map(str, design.sizes))} negatives"
    return f"{design.negatives:,} {'weighted' if isinstance(design, Weighted | Successive) else 'uniform'} negatives"


def frame_of(asked: list[Asked], found: list[tuple[float, float]]) -> pd.DataFrame:
    rows = [(each.name, str(each.k), *ends) for each, ends in zip(asked, found, strict=True)]
    return pd.DataFrame(rows, columns=["metric", "k", "low", "high"])


def about_ranks(ranks: SampledRanks, items: int, confidence: float) -> list[str]:
    """Return what was taken: ranks or users, and N."""
    n = len(ranks.rank)
    whose = f"{n:,} ranks" if ranks.user is None else f"{n:,} ranks of {ranks.n_users:,} users, who are the units"
    return [
        f"{whose}: bounds hold at {percent(confidence)} confidence for all metrics at once, for any distribution of "
        "exact ranks",
        f"every user is assumed to have {items:,} candidates; if the numbers differ, give their mean",
    ]


def about_figures(n_figures: int, n_systems: int, n_users: int, items: int, confidence: float) -> list[str]:
    each = f"the error of {percent(1 - confidence)} is shared evenly by "
    each += f"{n_systems} systems, and by the figures of each" if n_systems > 1 else f"{n_figures} figures"
    return [
        f"printed figures of {n_users:,} users with one test item each: bounds hold at {percent(confidence)} "
        f"confidence for all metrics at once; {each}; rounding is taken from the digits given",
        f"every user is assumed to have {items:,} candidates; if the numbers differ, give their mean",
    ]


def number_of_users(users: Any) -> int:
    if users is None:
        raise UserError("users is not given, expected the number of users behind printed figures; give it")
    return check_count("users", users, 1, MOST_USERS)


def read_figures(printed: Mapping[str, Any], negatives: int, n_users: int, system: str = "") -> list[Figure]:
    """Return printed figures as means over ranks 1 .. m + 1, or say what no sample could have."""
    if not printed:
        raise UserError(f"system {system!r} has no figures, expected such as hr@10=.684; give some")
    figures = [read_figure(name, value, negatives) for name, value in printed.items()]
    for figure in figures:
        fewest, most = counts_printed_as(figure, n_users)
        if figure.counted and fewest > most:
            raise UserError(
                f"{figure.name} is {printed[figure.name]}, and no share of {n_users:,} users rounds to it; check the "
                "figure and users"
            )
    by_hits = sorted((figure for figure in figures if figure.counted), key=lambda figure: figure.values.sum())
    for few, many in pairwise(by_hits):
        if few.printed > many.printed:
            raise UserError(
                f"{few.name} is {printed[few.name]} and {many.name} {printed[many.name]}, expected no more at the "
                "smaller cut-off; check the figures"
            )
    if not is_possible(figures):
        together = ", ".join(f"{name}={value}" for name, value in printed.items())
        raise UserError(
            f"no ranks among {negatives + 1:,} items have {together} together; check the figures and negatives"
        )
    return figures


def read_figure(name: str, value: Any, negatives: int) -> Figure:
    text = str(value).strip()
    scale = 100 if text.endswith("%") else 1
    digits = text.removesuffix("%")
    try:
        number = float(digits) / scale
    except ValueError:
        raise UserError(f"{name} is {shortened(text)}, expected a number such as .684; correct it") from None
    asked = parse_metric(name)
    ranks = np.arange(1, negatives + 2)
    (values,) = metric_of_rank({asked.name: METRICS.named(asked.name)}, [asked.k], ranks, negatives + 1).values()
    mantissa, _, power = digits.lower().partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(power or 0)
    half = 0.5 * 10.0**-decimals / scale
    figure = Figure(name, values, number, half, bool(np.isin(values, (0, 1)).all()))
    if not values.min() - half <= number <= values.max() + half:
        raise UserError(
            f"{name} is {text}, expected {values.min():g} to {values.max():g}, which ranks among {negatives + 1:,} "
            "items can have; correct it"
        )
    return figure


def pairs_of(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return for every two systems the range of the difference on all items, and whether its sign is determined."""
    rows = []
    for one, other in combinations(frames, 2):
        joined = frames[one].merge(frames[other], on=["metric", "k"], suffixes=("_a", "_b"))
        for row in joined.itertuples(index=False):
            low, high = row.low_a - row.high_b, row.high_a - row.low_b
            rows.append((row.metric, row.k, one, other, low, high, low > 0 or high < 0))
    return pd.DataFrame(rows, columns=["metric", "k", "system_a", "system_b", "low", "high", "determined"])
