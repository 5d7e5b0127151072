"""How many users to sample."""

import argparse
import math
from collections.abc import Iterator

from truerank.cli.checks import check_between, check_whole, percent
from truerank.estimators._core.user_sampling import users_by_hoeffding, users_for_one, users_for_pairs

MOST_MODELS = 10**6
MOST_USERS = 10**12
LEAST_MARGIN = 1e-6


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield the users needed for one metric per model, for differences of pairs, and without assumptions."""
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
