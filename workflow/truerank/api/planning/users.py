"""How many users to sample for a margin of error."""

import math
from dataclasses import dataclass

import pandas as pd

from truerank.api.checks import check_between, check_confidence, check_count, percent
from truerank.api.results import Result
from truerank.estimators._core.user_sampling import users_by_hoeffding, users_for_one, users_for_pairs

MOST_MODELS = 10**6
MOST_USERS = 10**12
LEAST_MARGIN = 1e-6


@dataclass(frozen=True)
class PlannedUsers(Result):
    """Users to sample.

    plan : quantity, method, users: how many users bring the quantity within the margin.
    """

    plan: pd.DataFrame
    notes: tuple[str, ...] = ()


def plan(
    margin: float, confidence: float = 0.95, models: int = 1, share: float = 0.5, population: int | None = None
) -> PlannedUsers:
    r"""Return how many users, each ranked exactly, make intervals as narrow as ``margin`` to both sides.

    .. math:: p(1-p)(z/e)^2,\quad 2p(1-p)(z/e)^2,\quad \ln(2c/\alpha)/(2e^2)

    of one recall p, of a difference of two, and of any metric between 0 and 1 (Hoeffding).
    confidence : that all intervals hold at once. models : measured or compared. share : the expected recall, 0.5 is the
    worst case. population : users in all, who are drawn from without replacement; endless if None.

    Li et al. 2024, doi:10.1145/3629171, section 7.

    >>> import truerank as tr
    >>> tr.plan("users", margin=0.01, models=2, population=6040).plan
                             quantity     method  users
    0            recall of each model     normal   4079
    1  difference of every two models     normal   4596
    2      any metric between 0 and 1  Hoeffding   6040
    """
    check_between("margin", margin, LEAST_MARGIN, 1)
    check_confidence(confidence)
    check_between("share", share, 0, 1)
    models = check_count("models", models, 1, MOST_MODELS)
    among = math.inf if population is None else check_count("population", population, 1, MOST_USERS)
    rows = [("recall of each model", "normal", users_for_one(margin, confidence, models, share, among))]
    if models > 1:
        users = users_for_pairs(margin, confidence, models, share, among)
        rows.append(("difference of every two models", "normal", users))
    users = int(users_by_hoeffding(margin, confidence, models, among))
    rows.append(("any metric between 0 and 1", "Hoeffding", users))
    sentence = f"{models:,} model(s): each within {margin:g} at {percent(confidence)} confidence, all at once."
    return PlannedUsers(pd.DataFrame(rows, columns=["quantity", "method", "users"]), (sentence,))
