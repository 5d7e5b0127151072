"""Whether a sample identifies a metric, or an estimate leans on its assumption."""

WELL_INSIDE = 4  # times the interval's width; the band alone, which holds everywhere at once, makes it two or three
ALL = 0.5  # share of what a metric can be, beyond which bounds tell nothing
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


def identified(bounds: float, interval: float, whole: float) -> bool:
    """Tell whether bounds are at most four times as wide as the estimate's interval, and half of all that can be.

    bounds, interval, whole : widths of the bounds, of the interval, and of what the metric can be at all.
    """
    return bool(bounds <= min(WELL_INSIDE * interval, ALL * whole))


def assumption_of(kind: str) -> str:
    """Return what an estimator of this kind assumes, for "it assumes that ..."."""
    return ASSUMPTIONS.get(kind, "what its author assumed holds")
