"""Estimates of the metrics on all items from ranks among sampled ones."""

import argparse
from collections.abc import Iterable, Iterator
from reprlib import repr as shortened

import numpy as np

from truerank.blas import single_threaded_blas
from truerank.cli import say
from truerank.cli.checks import check_between, check_whole, percent
from truerank.cli_input import read_ranks, whole_number
from truerank.config.merging import read_defaults
from truerank.errors import UserError
from truerank.estimators._core.cost import cost
from truerank.estimators._core.histogram import histogram
from truerank.estimators._core.make import applies, make_estimator, needed_fit
from truerank.estimators._core.problem import Problem
from truerank.estimators._core.rank_bootstrap import bootstrap_interval, estimates_and_span, resampled
from truerank.memory import free_memory
from truerank.provenance import generator
from truerank.registry import METRICS, Cutoff, Definition, Definitions, unknown

Usable = tuple[Definition, Definition | None]  # an estimator, and the one that fits P(R) for it

FIXED = {"kind": "uniform"}
MOST_ITEMS = 10**8
MOST_CELLS = 10**9  # of a table of numbers, which then has 8 GB
GIGABYTE = 1e9
FEWER_RESAMPLES = 200, 100, 50  # below that the ends of an interval are hardly known
WORTH_TELLING = 1e9, 3.0  # bytes and seconds that nobody is surprised by


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield one line per metric: the estimate and its interval."""
    check_between("confidence", choices.confidence, 0, 1)
    check_whole("items", choices.items, 2, MOST_ITEMS)
    if choices.items <= choices.negatives:
        raise UserError(
            f"--items is {choices.items} and --negatives {shortened(choices.negatives)}, expected more items than "
            "negatives; give the number of candidates of the full ranking"
        )
    for name, fewest in (("negatives", 1), ("resamples", 2)):
        check_whole(name, getattr(choices, name), fewest, MOST_CELLS // choices.items, f" with {choices.items:,} items")
    metrics, cutoffs, columns = read_metrics(choices.metric)
    seen = histogram(read_ranks(choices.ranks, choices.negatives), choices.negatives)
    usable = usable_estimators()
    if choices.estimator not in usable:
        raise UserError(unknown("estimator", choices.estimator, usable))
    check_cost(choices, usable, len(metrics) * len(cutoffs))
    counts, unseen = resampled(seen, choices.resamples, generator(choices.seed, "correct"))
    problem = Problem(choices.items, counts, metrics, cutoffs)
    values, (least, most) = estimates(problem, *usable[choices.estimator])
    yield f"{seen.n_instances} ranks, {choices.estimator}, {percent(choices.confidence)} bootstrap intervals"
    for asked, column in zip(choices.metric, columns, strict=True):
        place = problem.columns.index(column)
        low, high = bootstrap_interval(values[:, place], unseen, least[place], most[place], choices.confidence)
        yield f"{asked:12} {values[0, place]:.4f}  [{low:.4f}, {high:.4f}]"


def usable_estimators() -> dict[str, Usable]:
    """Return the defaults' estimators for sets of one size: definition, and that of the one that fits P(R) or None."""
    defined = read_defaults()["estimators"]
    usable = {name: definition for name, definition in defined.items() if applies(definition, FIXED)}
    return {name: (each, defined.get(needed_fit(name, each))) for name, each in usable.items()}


def estimates(
    problem: Problem, definition: Definition, prior: Definition | None
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Return the estimates of every histogram, with the prior fitted first, and the span of one rank more."""
    try:
        with single_threaded_blas():
            fitted = make_estimator(prior).fit(problem) if prior else None
            return estimates_and_span(make_estimator(definition), fitted, problem)
    except MemoryError:
        needed = f"{problem.n_items:,} items with --negatives and --resamples as they are"
        raise UserError(f"{needed} need more memory than there is; lower these two") from None


def check_cost(choices: argparse.Namespace, usable: dict[str, Usable], n_columns: int) -> None:
    """Say what the estimates need if that is much, and refuse what is more memory than there is."""

    def needed(name: str, resamples: int = choices.resamples) -> tuple[float, float]:
        definition, prior = usable[name]
        kinds = definition["kind"], prior["kind"] if prior else None
        return cost(*kinds, choices.items, choices.negatives + 1, resamples + 1, n_columns)

    memory, seconds = needed(choices.estimator)
    about = (
        f"{choices.items:,} items with {choices.negatives:,} negatives, {choices.resamples:,} resamples and the "
        f"estimator {choices.estimator} need about {memory / GIGABYTE:.1f} GB of memory and {duration(seconds)}"
    )
    free, place = free_memory()
    if memory <= free:
        if memory > WORTH_TELLING[0] or seconds > WORTH_TELLING[1]:
            say(about)
        return
    fewer = next(
        (n for n in FEWER_RESAMPLES if n < choices.resamples and needed(choices.estimator, n)[0] <= free), None
    )
    other = next((name for name in reversed(usable) if needed(name)[0] <= free), None)
    ways = [f"lower --resamples to {fewer}"] if fewer else []
    ways += [f"take --estimator {other}, which needs {needed(other)[0] / GIGABYTE:.1f} GB"] if other else []
    remedy = ", or ".join([*ways, "find a machine with more"])
    raise UserError(f"{about}, and {free / GIGABYTE:.1f} GB are free {place}; {remedy}")


def duration(seconds: float) -> str:
    """Return a duration as people say it, to one or two digits: it is an estimate."""
    for unit, size in (("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def read_metrics(asked: Iterable[str]) -> tuple[Definitions, list[Cutoff], list[str]]:
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
