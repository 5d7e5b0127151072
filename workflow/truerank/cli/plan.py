"""How many users to sample."""

import argparse
import math
from collections.abc import Iterator

from truerank.cli.checks import check_between, check_whole, percent

ABOUT = "say how many users to sample for a margin of error"
MOST_MODELS = 10**6
MOST_USERS = 10**12
LEAST_MARGIN = 1e-6


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--margin", type=float, required=True, help="half width of the interval, such as 0.01")
    command.add_argument("--confidence", type=float, default=0.95, help="that all intervals hold at once (%(default)s)")
    command.add_argument("--models", type=int, default=1, help="models to be measured or compared (%(default)s)")
    command.add_argument(
        "--share", type=float, default=0.5, help="expected recall; 0.5 is the worst case (%(default)s)"
    )
    command.add_argument("--population", type=int, help="users in all, drawn from without replacement (endless)")


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield the users needed for one metric per model, for differences of pairs, and without assumptions."""
    from truerank.estimators._core.user_sampling import users_by_hoeffding, users_for_one, users_for_pairs

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
