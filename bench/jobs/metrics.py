"""Seven metrics at eleven cut-offs for every user, of one system."""

import numpy as np

from bench.contest import BOUND, OURS, Contender, Contest, largest_gap
from bench.jobs.tables import CUTOFFS, METRICS, RELEVANT, cut_lists, qrels_of, rank_tables, run_of

IN_ALL = ("precision", "recall", "ap", "ndcg", "rr")


def inputs(rng, **shape):
    table = rank_tables(n_systems=1, rng=rng, **shape)
    return table | {"rank": table["rank"][0]}


def ours(table, cores):
    from truerank.metrics._core.evaluation import evaluate
    from truerank.metrics._core.relevance import judged_by

    columns = {name: table[name] for name in ("user", "rank", "candidates", "rating")}
    metrics = {name: {"kind": name} for name in METRICS}

    def run():
        judged = judged_by({"threshold": RELEVANT}, **columns)
        return {column: np.nan_to_num(values) for column, values in evaluate(judged, metrics, CUTOFFS).items()}

    return run


def memory_pass(table, cores):
    """Read the table once, and write as many values as there are."""
    columns = [table[name] for name in ("user", "rank", "candidates", "rating")]
    n_users = len(np.unique(table["user"]))

    def run():
        for column in columns:
            column.sum()
        np.ones((len(METRICS) * len(CUTOFFS), n_users))

    return run


def unavoidable(table, cores):
    """Do what any way must do with arrays: order each user's rows by rank and by gain, look up rating and discount in
    that order, add one value per row and metric into users x cut-offs, and divide."""
    user, rank, rating = (table[name].astype(np.uint16) for name in ("user", "rank", "rating"))
    n_users, levels, width = int(user[-1]) + 1, int(rating.max()) + 1, len(CUTOFFS) + 1

    def run():
        order = np.argsort(rank, kind="stable")
        order = order[np.argsort(user[order], kind="stable")]
        np.argsort((user + 1) * levels - rating, kind="stable")
        place, gain = rank[order], rating[order].astype(float)
        values = gain / np.log2(place + 1.0)
        cell = user[order].astype(np.int64) * width + np.searchsorted(CUTOFFS, place)
        for _ in METRICS:
            sums = np.bincount(cell, values, n_users * width).reshape(n_users, width)[:, :-1].cumsum(axis=1)
            sums /= sums[:, -1:]

    return run


def ranx(table, cores):
    from ranx import Qrels, Run, evaluate

    qrels, run = qrels_of(table["user"], table["rank"], table["rating"]), run_of(table["user"])
    names = {"precision": "precision", "recall": "recall", "ap": "map", "ndcg": "ndcg", "rr": "mrr"}
    levels = {"ndcg": ""} | dict.fromkeys(("precision", "recall", "map", "mrr"), f"-l{RELEVANT}")
    wanted = {f"{names[ours]}@{k}{levels[names[ours]]}": f"{ours}@{k}" for ours in IN_ALL for k in CUTOFFS}
    judgements, listed, users = Qrels(qrels), Run(run), list(qrels)

    def evaluate_all():
        evaluate(judgements, listed, list(wanted), return_mean=False, make_comparable=False)
        return {column: np.array([listed.scores[name][u] for u in users]) for name, column in wanted.items()}

    return evaluate_all


def pytrec_eval(table, cores, cut=None):
    """Return what evaluates all users. cut : what ``cut_lists`` returns, if it is there already."""
    import pytrec_eval

    qrels = qrels_of(table["user"], table["rank"], table["rating"])
    cut = cut_lists(run_of(table["user"])) if cut is None else cut
    run = cut[CUTOFFS[-1]]
    unjudged = {user: dict.fromkeys(run[user], -1) | own for user, own in qrels.items()}
    at = ",".join(map(str, CUTOFFS))
    within = {"P": "precision", "recall": "recall", "map_cut": "ap", "ndcg_cut": "ndcg"}

    def evaluator(judgements, *names):
        return pytrec_eval.RelevanceEvaluator(judgements, set(names), relevance_level=RELEVANT)

    with_cutoffs = evaluator(qrels, *(f"{name}.{at}" for name in within))
    of_lists, inferred = evaluator(qrels, "recip_rank", "bpref"), evaluator(unjudged, "infAP")

    def run_all():
        found = with_cutoffs.evaluate(run)
        values = {f"{ours}@{k}": of(found, f"{name}_{k}") for name, ours in within.items() for k in CUTOFFS}
        for k in CUTOFFS:
            found = of_lists.evaluate(cut[k])
            values |= {f"rr@{k}": of(found, "recip_rank"), f"bpref@{k}": of(found, "bpref")}
            values[f"infap@{k}"] = of(inferred.evaluate(cut[k]), "infAP")
        return values

    def of(found, name):
        return np.array([found[user][name] for user in qrels])

    return run_all


def ir_measures(table, cores):
    import ir_measures
    from ir_measures import AP, RR, P, R, nDCG

    qrels, run = qrels_of(table["user"], table["rank"], table["rating"]), run_of(table["user"])
    kinds = {"precision": P(rel=RELEVANT), "recall": R(rel=RELEVANT), "ap": AP(rel=RELEVANT), "ndcg": nDCG}
    kinds["rr"] = RR(rel=RELEVANT)
    wanted = {kind @ k: f"{name}@{k}" for name, kind in kinds.items() for k in CUTOFFS}
    place = {user: index for index, user in enumerate(qrels)}
    evaluator = ir_measures.evaluator(list(wanted), qrels)

    def evaluate_all():
        values = {column: np.zeros(len(place)) for column in wanted.values()}
        for found in evaluator.iter_calc(run):
            values[wanted[found.measure]][place[found.query_id]] = found.value
        return values

    return evaluate_all


FIVE = "five of the seven, in its favour"
CONTESTS = [
    Contest(
        "7 metrics x 11 cut-offs, 6,040 users",
        inputs,
        full={"n_users": 6040, "n_rows": 197_656, "n_items": 3706},
        small={"n_users": 60, "n_rows": 2000, "n_items": 300},
        contenders=[
            Contender("truerank", ours, OURS),
            Contender("memory pass", memory_pass, BOUND, aim=100),
            Contender("unavoidable work", unavoidable, BOUND, note="two sorts, and sums within cut-offs"),
            Contender("ranx, warm", ranx, needs="ranx", aim=10, note=FIVE),
            Contender("pytrec-eval-terrier", pytrec_eval, needs="pytrec_eval", aim=10),
            Contender("ir_measures", ir_measures, needs="ir_measures", aim=10, note=FIVE, rounds=2),
        ],
        agree=largest_gap(1e-6),
    )
]
