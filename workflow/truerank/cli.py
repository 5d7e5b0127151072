"""The command line for people who only have sampled ranks, a number of users to plan, or another tool to go on with.

truerank correct ranks.csv --items 3706 --negatives 100 --estimator mn_mes --metric recall@10 --metric ndcg@10
truerank plan --margin 0.01 --confidence 0.95 --models 5
truerank export results --to folder
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import yaml

from truerank.errors import UserError
from truerank.estimators.histogram import Histogram, histogram
from truerank.estimators.make import applies, make_estimator, needed_fit
from truerank.estimators.problem import Problem
from truerank.estimators.user_sampling import users_by_hoeffding, users_for_one, users_for_pairs
from truerank.provenance import generator
from truerank.registry import METRICS, unknown

DEFAULTS = Path(__file__).parents[1] / "defaults.yaml"
FIXED = {"kind": "uniform"}


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
        prog="truerank", description="Correct sampled metrics, plan samples of users, export."
    )
    commands = top.add_subparsers(required=True, metavar="command")
    about = "estimate the metrics on all items from ranks among sampled ones, with bootstrap intervals"
    correct = commands.add_parser("correct", help=about, description=about)
    correct.add_argument("ranks", help="text file, one rank per line from 1 to negatives + 1; a heading is allowed")
    correct.add_argument("--items", type=int, required=True, help="candidates per user on the full catalogue")
    correct.add_argument("--negatives", type=int, required=True, help="sampled items that each was ranked among")
    correct.add_argument("--estimator", default="mn_mes", help="name as in workflow/defaults.yaml (%(default)s)")
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
    plan.set_defaults(run=run_plan)
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
    check_between("confidence", choices.confidence, 0, 1)
    check_at_least("negatives", choices.negatives, 1)
    check_at_least("resamples", choices.resamples, 2)
    if choices.items <= choices.negatives:
        raise UserError(
            f"--items is {choices.items} and --negatives {choices.negatives}, expected more items than negatives; "
            "give the number of candidates of the full ranking"
        )
    seen = histogram(read_ranks(choices.ranks, choices.negatives), choices.negatives)
    metrics, cutoffs = read_metrics(choices.metric)
    drawn = generator(choices.seed, "correct").multinomial(seen.n_instances, seen.shares, choices.resamples)
    counts = np.concatenate([seen.counts[None], drawn])
    problem = Problem(choices.items, Histogram(seen.negatives, seen.rank, counts), metrics, cutoffs)
    found = dict(zip(problem.columns, estimates(problem, choices.estimator).T, strict=True))
    tail = 50 * (1 - choices.confidence)
    yield f"{seen.n_instances} ranks, {choices.estimator}, {choices.confidence:.0%} bootstrap intervals"
    for asked in choices.metric:
        values = found[asked if "@" in asked else f"{asked}@all"]
        low, high = np.percentile(values[1:], [tail, 100 - tail])
        yield f"{asked:12} {values[0]:.4f}  [{low:.4f}, {high:.4f}]"


def estimates(problem, name):
    """Return the estimates of the estimator that the defaults call ``name``, with its prior fitted first."""
    defined = yaml.safe_load(DEFAULTS.read_text(encoding="utf-8"))["estimators"]
    usable = [each for each, definition in defined.items() if applies(definition, FIXED)]
    if name not in usable:
        raise UserError(unknown("estimator", name, usable))
    fit = needed_fit(name, defined[name])
    prior = make_estimator(defined[fit]).fit(problem) if fit else None
    return make_estimator(defined[name]).estimate(problem, prior)


def read_ranks(path, negatives):
    """Read one rank per line; the last column counts, and a first line that is no number is a heading."""
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as failure:
        reason = getattr(failure, "strerror", None) or "it is not text"
        raise UserError(f"{path} cannot be read: {reason.lower()}; give a text file with one rank per line") from None
    cells = [(number, line.split(",")[-1].strip()) for number, line in enumerate(lines, 1) if line.strip()]
    if cells and not cells[0][1].isdigit():
        cells = cells[1:]
    if not cells:
        raise UserError(f"{path} has no ranks; give a text file with one rank per line")
    for number, cell in cells:
        if not cell.isdigit() or not 1 <= int(cell) <= negatives + 1:
            raise UserError(
                f"{path}, line {number}: the rank is {cell!r}, expected a whole number from 1 to {negatives + 1}, "
                "that is negatives + 1; correct the line or --negatives"
            )
    return np.array([int(cell) for _, cell in cells])


def read_metrics(asked):
    """Return metrics and cut-offs from names like recall@10."""
    metrics, cutoffs = {}, set()
    for text in asked:
        name, _, k = text.partition("@")
        entry = METRICS[name]
        if entry.facts.get("needs", "ranks") != "ranks":
            raise UserError(f"metric {name!r} is not a function of ranks; choose another, such as recall@10")
        if entry.has_cutoff != bool(k) or (k and k != "all" and (not k.isdigit() or int(k) < 1)):
            form = f"{name}@10 or {name}@all" if entry.has_cutoff else name
            raise UserError(f"metric {text!r} cannot be read, expected {form}; correct it")
        metrics[name] = {"kind": name}
        cutoffs.add(int(k) if k.isdigit() else "all")
    return metrics, list(cutoffs)


def run_plan(choices):
    """Yield the users needed for one metric per model, for differences of pairs, and without assumptions."""
    check_between("margin", choices.margin, 0, 1)
    check_between("confidence", choices.confidence, 0, 1)
    check_between("share", choices.share, 0, 1)
    check_at_least("models", choices.models, 1)
    about = {"margin": choices.margin, "confidence": choices.confidence, "models": choices.models}
    width = f"within {choices.margin:g} at {choices.confidence:.0%} confidence"
    yield f"{users_for_one(**about, share=choices.share):>9,} users: recall of {choices.models} model(s), each {width}"
    if choices.models > 1:
        yield f"{users_for_pairs(**about, share=choices.share):>9,} users: difference of every two models, {width}"
    yield f"{users_by_hoeffding(**about):>9,} users: any metric between 0 and 1, each {width} (Hoeffding)"


def run_export(choices):
    """Yield one line per split that was written."""
    from truerank.stages.export import export

    try:
        yield from export(choices.results, choices.to, choices.threshold)
    except OSError as failure:
        told = f"{failure.filename} cannot be used: {failure.strerror.lower()}" if failure.filename else str(failure)
        raise UserError(f"{told}; give the whole results folder, and after --to a folder that can be written") from None


def check_between(name, value, low, high):
    if not low < value < high:
        raise UserError(f"--{name} is {value:g}, expected more than {low} and less than {high}; correct it")


def check_at_least(name, value, low):
    if value < low:
        raise UserError(f"--{name} is {value}, expected at least {low}; correct it")


if __name__ == "__main__":
    sys.exit(main())
