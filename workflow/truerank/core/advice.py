"""What papers advise on metrics, and what this data says of each piece of advice."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from truerank.core.verdict_words import MISSING, name
from truerank.registry import METRICS, Definitions

ENOUGH_USERS = 10_000
ERROR_AWARE = "sdcse"
ALIKE = 0.9  # tau from which two metrics say the same


class Advice(NamedTuple):
    """A piece of advice. here : what this data says of it. holds : whether that agrees, None where it cannot tell."""

    source: str
    advice: str
    here: str
    holds: bool | None


def advice(
    found: Mapping[str, Any],
    power: pd.DataFrame | None,
    robustness: pd.DataFrame | None,
    correlation: pd.DataFrame | None,
    definitions: Definitions,
) -> list[Advice]:
    """Return every piece of advice with what this data says of it.

    found : the verdict, ``metrics`` and ``sampling``, each None where the study lacks it. power, robustness,
    correlation : as the stages of the trial write them, of the metrics of the ranking part.
    """
    named = found["metrics"]
    return [
        *(of_valcarce(named, power, robustness) if named is not None and power is not None else ()),
        on_users(named),
        on_sampling(found["sampling"]),
        on_errors(named, correlation, definitions),
    ]


def of_valcarce(named: Mapping[str, Any], power: pd.DataFrame, robustness: pd.DataFrame | None) -> Iterator[Advice]:
    source = "Valcarce et al. 2018"
    judged = power[power["in_best_set"].notna() & (power["k"] != "all")]
    yield Advice(source, "Deep cut-offs separate models better than shallow ones.", *on_depth(judged))
    inside = judged[judged["in_best_set"].eq(True)]
    has = inside["metric"].eq("ndcg").any()
    among = f"{'among' if has else 'not among'} the {len(inside)} of {len(judged)} metrics"
    tried = judged["metric"].eq("ndcg").any()
    here = f"nDCG is {among} that are not significantly worse than the best." if tried else "nDCG is not selected."
    yield Advice(source, "nDCG has the best discriminative power.", here, bool(has) if tried else None)
    yield Advice(source, "Precision is the most robust to missing ratings.", *on_precision(robustness))


def on_depth(judged: pd.DataFrame) -> tuple[str, bool | None]:
    """Compare the criterion of each metric at its deepest and its shallowest cut-off."""
    depth = judged.assign(depth=judged["k"].astype(float)).sort_values("depth")
    ends = depth.groupby("metric").agg(first=("criterion", "first"), last=("criterion", "last"), n=("k", "size"))
    ends = ends[ends["n"] > 1]
    if ends.empty:
        return "Every metric has one cut-off, so depths cannot be compared.", None
    deeper = int((ends["last"] > ends["first"]).sum())
    low, high = (f"{depth['depth'].agg(end):g}" for end in ("min", "max"))
    sentence = f"{deeper} of {len(ends)} metrics separate models better at {high} than at {low}"
    means = f"the mean criterion goes from {ends['first'].mean():.2f} to {ends['last'].mean():.2f}"
    return f"{sentence}; {means}.", deeper * 2 > len(ends)


def on_precision(robustness: pd.DataFrame | None) -> tuple[str, bool | None]:
    """Say which metric keeps the order best under each bias, and whether precision can be told from it."""
    if robustness is None or robustness.empty:
        return "Robustness was not measured.", None
    notes, inside = [], []
    for bias, rows in robustness.dropna(subset="in_best_set").groupby("bias", sort=False):
        own = rows[rows["metric"] == "precision"]
        if own.empty:
            return "Precision is not selected.", None
        first = rows.loc[rows["tau"].idxmax()]
        is_in = bool(own["in_best_set"].eq(True).any())
        inside.append(is_in)
        best = own.loc[own["tau"].idxmax()]
        notes.append(
            f"where {MISSING[str(bias)]}, {name(first)} keeps the order best (tau {first['tau']:.3f}), and "
            f"{name(best)} (tau {best['tau']:.3f}) {'is not significantly worse' if is_in else 'is behind it'}"
        )
    if not notes:
        return "All models are equal where ratings are missing: there is no order to keep.", None
    sentence = "; ".join(notes) + "."
    return sentence[0].upper() + sentence[1:], all(inside)


def on_users(named: Mapping[str, Any] | None) -> Advice:
    words = "About 10,000 users are enough to estimate metrics and to find the winner."
    if named is None:
        return Advice("Li et al. 2024", words, "With one model there is no winner to find.", None)
    users, pairs = named["users"], named["pairs"] - len(named["same_pairs"])
    here = f"{users:,} test users separate {named['separated']} of {pairs} pairs by {name(named)}"
    enough = users >= ENOUGH_USERS
    more = "as many as advised" if enough else "fewer than advised"
    return Advice("Li et al. 2024", words, f"{here}; that is {more}.", bool(enough))


def on_sampling(found: Mapping[str, Any] | None) -> Advice:
    words = "Do not sample candidates; if you must, correct the metric and repeat the sampling."
    source = "Krichene & Rendle 2020"
    if not found or not found["samplers"]:
        here = "Ranks are exact, among all candidates; what a sample would do was not measured."
        return Advice(source, words, here, None)
    notes = [
        f"{sampler}, uncorrected, reverses {own['reversed']} of {own['orders']} orders"
        for sampler, own in found["samplers"].items()
    ]
    best = found["estimator"]
    here = f"{'; '.join(notes)}; {best['name']} gets {100 * best['right']:.0f} of 100 orders right."
    return Advice(source, words, here, any(own["reversed"] for own in found["samplers"].values()))


def on_errors(named: Mapping[str, Any] | None, correlation: pd.DataFrame | None, definitions: Definitions) -> Advice:
    words = "Report a metric of the size of errors in the order of the list beside those of ranking."
    source = "Aftab & Ramampiaro 2022"
    aware = [metric for metric, own in definitions.items() if own["kind"] == ERROR_AWARE]
    if named is None or correlation is None or not aware:
        return Advice(source, words, "No such metric (sdcse) is selected.", None)
    own = correlation[(correlation["metric_a"] == named["metric"]) & (correlation["k_a"] == named["k"])]
    taus = own[own["metric_b"].isin(aware)].dropna(subset="tau")
    if taus.empty:
        return Advice(source, words, "No two models have both metrics, so their orders cannot be compared.", None)
    first = taus.iloc[(taus["k_b"] != named["k"]).to_numpy().argmin()]
    other = f"{first['metric_b']}@{first['k_b']}"
    tau = float(first["tau"])
    differs = tau < ALIKE
    said = "it says something else, so report both" if differs else "it says the same"
    less = "" if METRICS.of(definitions[first["metric_b"]]).facts.higher_is_better else ", of which less is better,"
    here = f"{other}{less} orders the models with tau {tau:.2f} to {name(named)}: {said}."
    return Advice(source, words, here, differs)


def as_rows(pieces: list[Advice]) -> list[dict[str, Any]]:
    """Return advice as JSON has it."""
    return [own._asdict() for own in pieces]
