"""What an estimate with resampled histograms costs, from measured runs: enough to say before it starts.

Measured on one core of a 2020s server, 5,000 to 100,000 items, 20 to 400 negatives, 20 to 200 resamples.
"""

BYTES = 8  # of a number
BEGINNING = 150e6, 1.0  # bytes and seconds of any run
PER_ITEM, PER_COLUMN = 24, 2  # numbers that the metrics hold at every exact rank
# Numbers held at once per item: times the sampled ranks, and times the histograms where P(R) is fitted to each.
HELD = {
    "uncorrected": (0, 0),
    "rank_estimate": (0, 0),
    "cls": (8, 0),
    "bias_variance": (4.5, 2.1),
    "multinomial": (4.5, 2.1),
    "mle": (1, 2),
    "mes": (2.3, 6.3),
    "monotone_mle": (2.6, 3.9),
}
MOST_HELD = tuple(map(max, zip(*HELD.values(), strict=True)))  # of an estimator that is not measured
# Seconds per item: of the metrics; times the sampled ranks; times the fitted histograms; and times both.
OF_METRICS, PER_RANK, PER_HISTOGRAM, PER_BOTH = 5e-7, 2e-7, 3e-7, 8e-9


def cost(
    kind: str, prior_kind: str | None, n_items: int, n_ranks: int, n_histograms: int, n_columns: int
) -> tuple[float, float]:
    """Return the bytes that an estimate holds at its peak, and about how many seconds it takes on one core.

    kind, prior_kind : of the estimator, and of the one that fits P(R) for it, which may be itself or None.
    n_items : or as many cells as stand for them. n_ranks : m + 1. n_columns : metrics times cut-offs.
    """
    held = [HELD.get(each, MOST_HELD) for each in (kind, prior_kind or kind)]
    fitted = n_histograms if prior_kind else 0
    weighed = n_ranks if any(of_ranks for of_ranks, _ in held) else 0
    numbers = max(of_ranks * weighed + of_fits * fitted for of_ranks, of_fits in held)
    numbers += PER_ITEM + PER_COLUMN * n_columns if weighed else 0
    work = OF_METRICS * bool(weighed) + PER_RANK * weighed + (PER_HISTOGRAM + PER_BOTH * n_ranks) * fitted
    return BEGINNING[0] + BYTES * n_items * numbers, BEGINNING[1] + n_items * work
