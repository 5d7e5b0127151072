"""What an estimate will need, said before it starts, and refused where it is more than there is."""

from collections.abc import Callable

from truerank.errors import UserError
from truerank.estimators._core.cost import cost
from truerank.estimators._core.support import support
from truerank.memory import free_memory
from truerank.registry import Definition

GIGABYTE = 1e9
FEWER_RESAMPLES = 200, 100, 50  # below that the ends of an interval are hardly known
WORTH_TELLING = 1e9, 3.0  # bytes and seconds that nobody is surprised by


def check_cost(
    usable: dict[str, tuple[Definition, Definition | None]],
    estimator: str,
    items: int,
    negatives: int,
    resamples: int,
    n_columns: int,
    callback: Callable[[str], None] | None,
) -> None:
    """Say what the estimates need if that is much, and refuse what is more memory than there is."""
    n_cells = len(support(items, negatives).first)

    def needed(name: str, resamples: int = resamples) -> tuple[float, float]:
        definition, prior = usable[name]
        kinds = definition["kind"], prior["kind"] if prior else None
        return cost(*kinds, n_cells, negatives + 1, resamples + 1, n_columns)

    memory, seconds = needed(estimator)
    about = (
        f"{items:,} items with {negatives:,} negatives, {resamples:,} resamples and the estimator {estimator} need "
        f"about {memory / GIGABYTE:.1f} GB of memory and {duration(seconds)}"
    )
    free, place = free_memory()
    if memory <= free:
        if callback and (memory > WORTH_TELLING[0] or seconds > WORTH_TELLING[1]):
            callback(about)
        return
    fewer = next((n for n in FEWER_RESAMPLES if n < resamples and needed(estimator, n)[0] <= free), None)
    other = next((name for name in reversed(usable) if needed(name)[0] <= free), None)
    ways = [f"lower resamples to {fewer}"] if fewer else []
    ways += [f"take the estimator {other}, which needs {needed(other)[0] / GIGABYTE:.1f} GB"] if other else []
    remedy = ", or ".join([*ways, "find a machine with more"])
    raise UserError(f"{about}, and {free / GIGABYTE:.1f} GB are free {place}; {remedy}")


def duration(seconds: float) -> str:
    """Return a duration as people say it, to one or two digits: it is an estimate."""
    for unit, size in (("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
