"""Whether a sample identifies a metric, or an estimate leans on its assumption."""

WELL_INSIDE = 4  # times the interval's width; the band alone, which holds everywhere at once, makes it two or three
ALL = 0.5  # share of what a metric can be, beyond which bounds tell nothing
ROUNDING = 1e-9  # share of what a metric can be, by which an estimate may be off its bounds
ASSUMPTIONS = {
    "uncorrected": "the metric within the sampled set is that on all items",
    "rank_estimate": "an item's rank on all items is its sampled rank scaled up",
    "cls": "weights that suit all exact ranks alike suit these",
    "bias_variance": "the exact ranks follow the estimator's prior",
    "multinomial": "the exact ranks follow the estimator's prior",
    "mle": "the distribution of exact ranks is the one that EM reaches, from a uniform start, when it stops",
    "adaptive_mle": "the distribution of exact ranks is the one that EM reaches, from a uniform start, when it stops",
    "mes": "of all laws of exact ranks near the sample the most even one is right",
    "monotone_mle": "the probability of an exact rank never increases with the rank",
}


def identified(estimate: float, low: float, high: float, interval: float, whole: float) -> bool:
    """Tell whether bounds hold the estimate, and are at most four times as wide as its interval and half of the range.

    low, high : the bounds. interval, whole : widths of the interval, and of what the metric can be at all.
    """
    return is_within(estimate, low, high, whole) and bool(high - low <= min(WELL_INSIDE * interval, ALL * whole))


def is_within(estimate: float, low: float, high: float, whole: float) -> bool:
    """Tell whether an estimate is one of the values that the sample admits; none is where bounds are NaN."""
    return bool(low - ROUNDING * whole <= estimate <= high + ROUNDING * whole)


def reliance(kind: str, within: bool) -> str:
    """Return what an estimate that is not identified relies on. kind : of the estimator. within : ``is_within``."""
    assumption = assumption_of(kind)
    if within:
        return f"this estimate depends on the assumption that {assumption}"
    return f"this estimate is outside of that, so the sample speaks against the assumption that {assumption}"


def assumption_of(kind: str) -> str:
    """Return what an estimator of this kind assumes, for "it assumes that ..."."""
    return ASSUMPTIONS.get(kind, "what its author assumed holds")
