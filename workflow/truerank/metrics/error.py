"""How far predicted ratings are from the true ones."""

import numpy as np

from truerank.metrics._core.judged import JudgedRanks, ratio
from truerank.metrics._core.pooled import pooled
from truerank.registry import METRICS


@METRICS.register("mae", higher_is_better=False, range=(0, np.inf), needs="predictions")
def mae(judged: JudgedRanks) -> np.ndarray:
    r"""Average how far predictions are from the ratings of the user's test items.

    .. math:: \frac{1}{n} \sum_j |\hat y_j - y_j|

    Every user has the same weight, for any number of rated items. It is undefined only for a user one of whose test
    items has no prediction, and absent for a model that predicts no ratings.

    Elsewhere: scikit-learn's ``mean_absolute_error`` and RecBole's ``MAE`` average over all test ratings, so users with
    many ratings have more weight: ``mae_micro``.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return ratio(judged.sum_by_user(np.abs(judged.prediction - judged.rating)), judged.n_judged)


@METRICS.register("nmae", higher_is_better=False, range=(0, np.inf), needs="predictions")
def nmae(judged: JudgedRanks) -> np.ndarray:
    r"""Divide the mean absolute error by the width of the rating scale.

    .. math:: \frac{\mathrm{MAE}}{y_{\max} - y_{\min}}

    The scale is the data's, or the one that its ``scale`` setting states. It is at most 1 while predictions stay on the
    scale, as those of this package do. A scale of one value is undefined: NaN.

    Elsewhere: none of trec_eval, ranx, RecBole and scikit-learn has it.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return mae(judged) / width(judged)


@METRICS.register("rmse", higher_is_better=False, range=(0, np.inf), needs="predictions")
def rmse(judged: JudgedRanks) -> np.ndarray:
    r"""Take the root of the mean squared error of predictions for the user's test items.

    .. math:: \sqrt{\frac{1}{n} \sum_j (\hat y_j - y_j)^2}

    It is undefined only for a user one of whose test items has no prediction, and absent for a model that predicts no
    ratings.

    Elsewhere: scikit-learn's ``root_mean_squared_error`` and RecBole's ``RMSE`` take one root over all test ratings:
    ``rmse_micro``.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742; some slides print the sum outside the root.
    """
    return np.sqrt(ratio(judged.sum_by_user((judged.prediction - judged.rating) ** 2), judged.n_judged))


@METRICS.register("nrmse", higher_is_better=False, range=(0, np.inf), needs="predictions")
def nrmse(judged: JudgedRanks) -> np.ndarray:
    r"""Divide the root mean squared error by the width of the rating scale.

    .. math:: \frac{\mathrm{RMSE}}{y_{\max} - y_{\min}}

    The scale is the data's, or the one that its ``scale`` setting states. It is at most 1 while predictions stay on the
    scale, as those of this package do. A scale of one value is undefined: NaN.

    Elsewhere: none of trec_eval, ranx, RecBole and scikit-learn has it.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return rmse(judged) / width(judged)


@pooled("mae_micro", root=False, range=(0, np.inf))
def mae_micro(judged: JudgedRanks) -> np.ndarray:
    r"""Average how far predictions are from the ratings, over the test ratings of all users.

    .. math:: \sum_u \sum_{j \in T_u} |\hat y_j - y_j| \Big/ \sum_u |T_u|

    Every rating has the same weight, so users who rated many items count more. A user one of whose test items has no
    prediction is undefined and left out. ``per_user.parquet`` has each user's contribution (see above), whose mean is
    this value.

    Elsewhere: scikit-learn's ``mean_absolute_error`` and RecBole's ``MAE`` are the same.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return np.abs(judged.prediction - judged.rating)


@pooled("nmae_micro", root=False, range=(0, np.inf))
def nmae_micro(judged: JudgedRanks) -> np.ndarray:
    r"""Divide the mean absolute error over all test ratings by the width of the rating scale.

    .. math:: \frac{\mathrm{MAE}}{y_{\max} - y_{\min}}

    Scale and upper bound as in ``nmae``; a scale of one value is undefined: NaN. Contributions of users as in
    ``mae_micro``.

    Elsewhere: none of trec_eval, ranx, RecBole and scikit-learn has it.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return np.abs(judged.prediction - judged.rating) / width(judged)


@pooled("rmse_micro", root=True, range=(0, np.inf))
def rmse_micro(judged: JudgedRanks) -> np.ndarray:
    r"""Take the root of the mean squared error of predictions over the test ratings of all users.

    .. math:: \sqrt{\sum_u \sum_{j \in T_u} (\hat y_j - y_j)^2 \Big/ \sum_u |T_u|}

    One root of one mean, in which every rating has the same weight. A user one of whose test items has no prediction is
    undefined and left out. Contributions of users as in ``mae_micro``.

    Elsewhere: scikit-learn's ``root_mean_squared_error`` and RecBole's ``RMSE`` are the same.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742; some slides print the sum outside the root.
    """
    return (judged.prediction - judged.rating) ** 2


@pooled("nrmse_micro", root=True, range=(0, np.inf))
def nrmse_micro(judged: JudgedRanks) -> np.ndarray:
    r"""Divide the root mean squared error over all test ratings by the width of the rating scale.

    .. math:: \frac{\mathrm{RMSE}}{y_{\max} - y_{\min}}

    Scale and upper bound as in ``nmae``; a scale of one value is undefined: NaN. Contributions of users as in
    ``mae_micro``.

    Elsewhere: none of trec_eval, ranx, RecBole and scikit-learn has it.

    Source: Jalili et al. 2018, doi:10.1109/ACCESS.2018.2883742.
    """
    return ((judged.prediction - judged.rating) / width(judged)) ** 2


def width(judged: JudgedRanks) -> float:
    low, high = judged.scale
    return high - low if high > low else np.nan
