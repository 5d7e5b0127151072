"""The command line for people who only have sampled ranks or users, or another tool to go on with.

truerank correct ranks.csv --items 3706 --negatives 100 --estimator mn_mes --metric recall@10 --metric ndcg@10
truerank plan --margin 0.01 --confidence 0.95 --models 5
truerank compare one.csv other.csv --confidence 0.95
truerank export results --to folder

Each command imports what it needs, so that a mistake or ``--help`` is answered at once.
"""

import argparse
import math
import sys
from itertools import combinations
from pathlib import Path
from reprlib import repr as shortened

import numpy as np
import yaml

from truerank.errors import UserError
from truerank.lines import read_ranks, read_values, whole_number
from truerank.provenance import generator
from truerank.registry import METRICS, unknown

DEFAULTS = Path(__file__).parent / "config" / "defaults.yaml"
FIXED = {"kind": "uniform"}
MOST_ITEMS = 10**8
MOST_CELLS = 10**9  # of a table of numbers, which then has 8 GB
MOST_MODELS = 10**6
MOST_USERS = 10**12
LEAST_MARGIN = 1e-6


def main(argv=None):
    """Run one command; a mistake is told in one sentence and gives status 1."""
    try:
        choices = parser().parse_args(argv)
        print("\n".join(choices.run(choices)))
    except UserError as mistake:
        print(f"truerank: {mistake}", file=sys.stderr)
        return 1
    return 0


def parser():
    top = argparse.ArgumentParser(
        prog="truerank", description="Correct sampled metrics, plan and compare samples of users, export."
    )
    commands = top.add_subparsers(required=True, metavar="command")
    about = "estimate the metrics on all items from ranks among sampled ones, with bootstrap intervals"
    correct = commands.add_parser("correct", help=about, description=about)
    correct.add_argument("ranks", help="text file, one rank per line from 1 to negatives + 1; a heading is allowed")
    correct.add_argument("--items", type=int, required=True, help="candidates per user on the full catalogue")
    correct.add_argument("--negatives", type=int, required=True, help="sampled items that each was ranked among")
    correct.add_argument("--estimator", default="mn_mes", help="name as in config/defaults.yaml (%(default)s)")
    correct.add_argument("--metric", action="append", required=True, help="such as recall@10 or auc; may be repeated")
    correct.add_argument("--resamples", type=int, default=200, help="of the bootstrap (%(default)s)")
    correct.add_argument("--confidence", type=float, default=0.95, help="of the intervals (%(default)s)")
    correct.add_argument("--seed", type=int, default=1, help="of the bootstrap (%(default)s)")
    correct.set_defaults(run=run_correct)
    about = "say how many users to sample for a margin of error"
    plan = commands.add_parser("plan", help=about, description=about)
    plan.add_argument("--margin", type=float, required=True, help="half width of the interval, such as 0.01")
    plan.add_argument("--confidence", type=float, default=0.95, help="that all intervals hold at once (%(default)s)")
    plan.add_argument("--models", type=int, default=1, help="models to be measured or compared (%(default)s)")
    plan.add_argument("--share", type=float, default=0.5, help="expected recall; 0.5 is the worst case (%(default)s)")
    plan.add_argument("--population", type=int, help="users in all, drawn from without replacement (endless)")
    plan.set_defaults(run=run_plan)
    about = "test whether models differ that were measured on samples of users, each on its own"
    compare = commands.add_parser("compare", help=about, description=about)
    compare.add_argument("values", nargs="+", help="text files, one per model, with one user's value per line")
    compare.add_argument("--confidence", type=float, default=0.95, help="that all intervals hold at once (%(default)s)")
    compare.set_defaults(run=run_compare)
    about = "write a study's lists as TREC runs, its test sets as qrels, and its values as CSV and LaTeX"
    export = commands.add_parser("export", help=about, description=about)
    export.add_argument("results", help="folder of results that the workflow wrote")
    export.add_argument("--to", required=True, help="folder to write to, one folder per dataset and split in it")
    about = "lowest rating that is relevant, as relevance.threshold of the study; without it qrels hold the ratings"
    export.add_argument("--threshold", type=float, help=about)
    export.set_defaults(run=run_export)
    return top


def run_correct(choices):
    """Yield one line per metric: the estimate and its interval."""
    from truerank.estimators.histogram import Histogram, histogram
    from truerank.estimators.problem import Problem

    check_between("confidence", choices.confidence, 0, 1)
    check_whole("items", choices.items, 2, MOST_ITEMS)
    if choices.items <= choices.negatives:
        raise UserError(
            f"--items is {choices.items} and --negatives {shortened(choices.negatives)}, expected more items than "
            "negatives; give the number of candidates of the full ranking"
        )
    for name, low in (("negatives", 1), ("resamples", 2)):
        check_whole(name, getattr(choices, name), low, MOST_CELLS // choices.items, f" with {choices.items:,} items")
    metrics, cutoffs, columns = read_metrics(choices.metric)
    seen = histogram(read_ranks(choices.ranks, choices.negatives), choices.negatives)
    drawn = generator(choices.seed, "correct").multinomial(seen.n_instances, seen.shares, choices.resamples)
    counts = np.concatenate([seen.counts[None], drawn])
    problem = Problem(choices.items, Histogram(seen.negatives, seen.rank, counts), metrics, cutoffs)
    found = dict(zip(problem.columns, estimates(problem, choices.estimator).T, strict=True))
    tail = 50 * (1 - choices.confidence)
    yield f"{seen.n_instances} ranks, {choices.estimator}, {percent(choices.confidence)} bootstrap intervals"
    for asked, column in zip(choices.metric, columns, strict=True):
        values = found[column]
        low, high = np.percentile(values[1:], [tail, 100 - tail])
        yield f"{asked:12} {values[0]:.4f}  [{low:.4f}, {high:.4f}]"


def estimates(problem, name):
    """Return the estimates of the estimator that the defaults call ``name``, with its prior fitted first."""
    from truerank.estimators.make import applies, make_estimator, needed_fit

    defined = yaml.safe_load(DEFAULTS.read_text(encoding="utf-8"))["estimators"]
    usable = [each for each, definition in defined.items() if applies(definition, FIXED)]
    if name not in usable:
        raise UserError(unknown("estimator", name, usable))
    fit = needed_fit(name, defined[name])
    try:
        prior = make_estimator(defined[fit]).fit(problem) if fit else None
        return make_estimator(defined[name]).estimate(problem, prior)
    except MemoryError:
        needed = f"{problem.n_items:,} items with --negatives and --resamples as they are"
        raise UserError(f"{needed} need more memory than there is; lower these two") from None


def read_metrics(asked):
    """Return metrics, cut-offs and the columns ``metric@k`` that names like recall@10 stand for."""
    metrics, cutoffs, columns = {}, set(), []
    for text in asked:
        name, _, k = text.partition("@")
        entry = METRICS[name]
        if entry.facts.needs != "ranks":
            raise UserError(f"metric {name!r} is not a function of ranks; choose another, such as recall@10")
        cutoff = whole_number(k) if entry.has_cutoff and k != "all" else "all"
        if entry.has_cutoff != bool(k) or not cutoff:
            form = f"{name}@10 or {name}@all" if entry.has_cutoff else name
            raise UserError(f"metric {shortened(text)} cannot be read, expected {form}; correct it")
        metrics[name] = {"kind": name}
        cutoffs.add(cutoff)
        columns.append(f"{name}@{cutoff}")
    return metrics, list(cutoffs), columns


def run_plan(choices):
    """Yield the users needed for one metric per model, for differences of pairs, and without assumptions."""
    from truerank.estimators.user_sampling import users_by_hoeffding, users_for_one, users_for_pairs

    check_between("margin", choices.margin, LEAST_MARGIN, 1)
    check_between("confidence", choices.confidence, 0, 1)
    check_between("share", choices.share, 0, 1)
    check_whole("models", choices.models, 1, MOST_MODELS)
    if choices.population is not None:
        check_whole("population", choices.population, 1, MOST_USERS)
    about = {name: getattr(choices, name) for name in ("margin", "confidence", "models")}
    about["population"] = choices.population or math.inf
    width = f"within {choices.margin:g} at {percent(choices.confidence)} confidence"
    yield f"{users_for_one(**about, share=choices.share):>9,} users: recall of {choices.models} model(s), each {width}"
    if choices.models > 1:
        yield f"{users_for_pairs(**about, share=choices.share):>9,} users: difference of every two models, {width}"
    yield f"{users_by_hoeffding(**about):>9,} users: any metric between 0 and 1, each {width} (Hoeffding)"


def run_compare(choices):
    """Yield one line per pair: the difference of means, its interval, and p-values, for all pairs at once."""
    from truerank.estimators.user_sampling import bonferroni, difference_interval, t_test, z_test

    check_between("confidence", choices.confidence, 0, 1)
    users = {path: read_values(path) for path in choices.values}
    if len(users) < 2:
        raise UserError(f"{choices.values[0]} is the only file, expected two or more; add those to compare it with")
    pairs = list(combinations(users, 2))
    yield f"{percent(choices.confidence)} intervals and p-values, for {len(pairs)} pair(s) at once (Bonferroni)"
    for pair in pairs:
        one, other = (users[path] for path in pair)
        mean, half = difference_interval(one, other, choices.confidence, len(pairs))
        tests = {"t": t_test(one, other)}
        if np.isin(np.concatenate([one, other]), (0, 1)).all():
            tests["z"] = z_test(one.sum(), other.sum(), len(one), len(other))
        told = "  ".join(f"{name}: p = {bonferroni(p, len(pairs)):.3g}" for name, (_, p) in tests.items())
        yield f"{' - '.join(pair)}  {mean:.4f}  [{mean - half:.4f}, {mean + half:.4f}]  {told}"


def run_export(choices):
    """Yield one line per split that was written."""
    from truerank.export import export

    try:
        yield from export(choices.results, choices.to, choices.threshold)
    except OSError as failure:
        told = f"{failure.filename} cannot be used: {failure.strerror.lower()}" if failure.filename else str(failure)
        raise UserError(f"{told}; give the whole results folder, and after --to a folder that can be written") from None


def check_between(name, value, low, high):
    if not low < value < high:
        raise UserError(f"--{name} is {value:g}, expected more than {low} and less than {high}; correct it")


def check_whole(name, value, low, high, where=""):
    if not low <= value <= high:
        span = f"expected a whole number from {low} to {high:,}{where}"
        raise UserError(f"--{name} is {shortened(value)}, {span}; correct it")


def percent(share):
    return f"{100 * share:.12g}%"


if __name__ == "__main__":
    sys.exit(main())
