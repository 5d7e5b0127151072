"""The sign-flip test of all pairs of 21 systems under 7 metrics."""

from itertools import combinations

import numpy as np

from bench.contest import BOUND, OURS, Contender, Contest, in_blocks

N_SCIPY, N_RANX = 1000, 1000


def inputs(n_users, n_systems, n_metrics, draws, rng):
    """Return per-user scores of systems that are a little better each, in tenths as those of precision@10 are."""
    skill = np.linspace(0.2, 0.25, n_systems)
    ease = rng.normal(scale=0.1, size=(n_metrics, n_users, 1))
    scores = np.clip(rng.binomial(10, np.clip(ease + skill, 0, 1)) / 10, 0, 1)
    return {"scores": scores, "draws": draws}


def ours(problem, cores):
    from truerank.meta.significance import compare

    def run():
        found = compare(list(problem["scores"]), np.random.default_rng(1), problem["draws"], threads=cores)
        return {"p": found[0].p_value[:1], "draws": np.array([problem["draws"]])}

    return run


def product(problem, cores):
    """Multiply signs that are there already, a block of draws over and over, with the scores of all systems."""
    columns = np.ascontiguousarray(np.concatenate(list(problem["scores"].transpose(0, 2, 1))), np.float32)
    block = 256
    signs = np.random.default_rng(1).choice(np.array([-1, 1], np.float32), (columns.shape[1], block))

    def work(start):
        columns @ signs

    return in_blocks(work, range(0, problem["draws"], block), cores)


def pair(problem):
    return problem["scores"][0][:, 0], problem["scores"][0][:, 1]


def draws_of(problem, most):
    return problem["draws"] if problem["size"] == "small" else most


def scipy_test(problem, cores):
    from scipy.stats import permutation_test

    one, other = pair(problem)
    draws = draws_of(problem, N_SCIPY)

    def difference(x, y, axis):
        return x.mean(axis=axis) - y.mean(axis=axis)

    def run():
        found = permutation_test(
            (one, other),
            difference,
            permutation_type="samples",
            vectorized=True,
            n_resamples=draws,
            batch=100,
            rng=np.random.default_rng(2),
        )
        return {"p": np.array([found.pvalue]), "draws": np.array([draws])}

    return run


def ranx_test(problem, cores):
    from ranx.statistical_tests import fisher_randomization_test

    one, other = pair(problem)
    draws = draws_of(problem, N_RANX)

    def run():
        p, _ = fisher_randomization_test(one, other, n_permutations=draws, random_seed=2)
        return {"p": np.array([p]), "draws": np.array([draws])}

    return run


def one_pair(most):
    """Return a function that says which share of all draws for all pairs and metrics one pair with ``most`` is."""

    def done(problem):
        n_metrics, _, n_systems = problem["scores"].shape
        pairs = n_metrics * len(list(combinations(range(n_systems), 2)))
        return draws_of(problem, most) / problem["draws"] / pairs

    return done


def agree(mine, theirs):
    """Compare two Monte Carlo p-values: five standard errors are allowed, and the 1 that is added to the counts."""
    p = mine["p"]
    error = np.sqrt(p * (1 - p) * (1 / mine["draws"] + 1 / theirs["draws"]))
    return float(np.abs(p - theirs["p"]).max() / (5 * error + 2 / theirs["draws"]).min())


CONTESTS = [
    Contest(
        "permutation test, 21 systems x 7 metrics x 100,000 draws",
        inputs,
        full={"n_users": 6040, "n_systems": 21, "n_metrics": 7, "draws": 100_000},
        small={"n_users": 200, "n_systems": 3, "n_metrics": 2, "draws": 2000},
        contenders=[
            Contender("truerank", ours, OURS),
            Contender("bare product", product, BOUND, aim=2.5),
            Contender(
                "scipy permutation_test",
                scipy_test,
                needs="scipy",
                done=one_pair(N_SCIPY),
                aim=500,
                note="one pair, scaled",
            ),
            Contender(
                "ranx Fisher test", ranx_test, needs="ranx", done=one_pair(N_RANX), aim=500, note="one pair, scaled"
            ),
        ],
        agree=agree,
    )
]
