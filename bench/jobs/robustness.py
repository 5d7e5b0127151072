"""The means of 7 metrics at 11 cut-offs for 21 systems under every thinned test set of Valcarce et al."""

import numpy as np

from bench.contest import BOUND, OURS, Contender, Contest, largest_gap
from bench.jobs.metrics import pytrec_eval
from bench.jobs.tables import CUTOFFS, METRICS, RELEVANT, cut_lists, rank_tables, run_of


def inputs(n_users, n_rows, n_items, n_systems, samples, rng):
    """Return the rank tables, and as masks the random subsets and those without popular items."""
    tables = rank_tables(n_users, n_rows, n_items, n_systems, rng)
    popularity = rng.random(len(tables["user"])) ** 2  # of the row's item, as a share of the most popular one's

    def subsets():
        draws = np.random.default_rng(1)
        for fraction in np.arange(20, 0, -1) / 20:
            for _ in range(1 if fraction == 1 else samples):
                yield draws.random(len(popularity)) < fraction
        for fraction in np.arange(100, 79, -1) / 100:
            yield popularity <= np.quantile(popularity, fraction)

    return tables | {"subsets": subsets, "n_subsets": 1 + 19 * samples + 21, "n_systems": n_systems}


def ours(data, cores):
    from truerank.meta.robustness import mean_metrics
    from truerank.metrics._core.relevance import judged_by

    columns = {name: data[name] for name in ("user", "candidates", "rating")}
    metrics = {name: {"kind": name} for name in METRICS}

    def run():
        judged = [judged_by({"threshold": RELEVANT}, rank=rank, **columns) for rank in data["rank"]]
        names, means = mean_metrics(judged, data["subsets"](), metrics, CUTOFFS, threads=cores)
        return dict(zip(names, means.transpose(1, 0, 2), strict=True))

    return run


def memory_pass(data, cores):
    """Look up, for every subset and system, which of the rows in the lists are kept."""
    near = [np.flatnonzero(rank <= CUTOFFS[-1]) for rank in data["rank"]]

    def run():
        for keep in data["subsets"]():
            for rows in near:
                np.count_nonzero(keep[rows])

    return run


def pytrec_per_sample(data, cores):
    """Evaluate one system on one subset, from its judgements on; at small size every system on every subset."""
    users = np.unique(data["user"])
    cut = cut_lists(run_of(users))
    whole = data["size"] == "small"
    systems = data["rank"] if whole else data["rank"][:1]
    subsets = list(data["subsets"]())
    subsets = subsets if whole else subsets[9 * (len(subsets) // 20) :][:1]  # of middling sparsity

    def run():
        found = [[means(keep, rank) for rank in systems] for keep in subsets]
        return {name: np.array([[of[name] for of in row] for row in found]) for name in found[0][0]}

    def means(keep, rank):
        left = {name: data[name][keep] for name in ("user", "rating")}
        values = pytrec_eval(left | {"rank": rank[keep]}, cores, cut)()
        return {name: value.sum() / len(users) for name, value in values.items()}

    return run


def done(data):
    return 1.0 if data["size"] == "small" else 1 / data["n_subsets"] / data["n_systems"]


CONTESTS = [
    Contest(
        "robustness sweep, 21 systems x 7 metrics x 11 cut-offs x 972 test sets",
        inputs,
        full={"n_users": 6040, "n_rows": 197_656, "n_items": 3706, "n_systems": 21, "samples": 50},
        small={"n_users": 30, "n_rows": 600, "n_items": 300, "n_systems": 2, "samples": 2},
        contenders=[
            Contender("truerank", ours, OURS, rounds=2),
            Contender("memory pass", memory_pass, BOUND, rounds=2, aim=6),
            Contender(
                "pytrec-eval-terrier",
                pytrec_per_sample,
                needs="pytrec_eval",
                done=done,
                aim=50,
                note="one system and sample, scaled",
            ),
        ],
        agree=largest_gap(1e-6),
    )
]
