"""By how much models differ under the headline metric: differences with intervals, effect sizes, adjusted p-values."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from truerank.core.comparing import POWER, STANDARD_ERRORS
from truerank.report.block import Block, Prose
from truerank.report.data import percent
from truerank.report.parts import each_part, table_name
from truerank.report.power import ONE_MODEL
from truerank.report.standings import INTERVAL
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table

DIGITS = 4


def pair_differences(study: OpenStudy) -> Block:
    """Every pair of models under the headline metric of each part."""

    def of_part(part: Part) -> Block:
        return pair_table(part) if len(part.models) > 1 else Prose(ONE_MODEL)

    return each_part(study, of_part)


def pair_table(part: Part) -> Table:
    metric, k = part.headlines[0]
    frame = headline_tests(part)
    frame = frame.assign(detectable=detectable(part, frame))
    columns = [Column("model_a", "model"), Column("model_b", "against")]
    columns += [Column("difference", digits=DIGITS, low="ci_low", high="ci_high"), Column("effect_size", digits=3)]
    labels = {"p_value": "p", "p_holm": "p, Holm", "p_fdr": "p, FDR", "detectable": "detectable"}
    columns += [Column(name, label, DIGITS) for name, label in labels.items()]
    caption = (
        f"Differences of {metric}@{k}, mean over users, with their {INTERVAL}; the effect size is the difference over "
        "the standard deviation of users’ differences, detectable the smallest difference that these users could have "
        f"shown with {percent(POWER)} power"
    )
    return Table(table_name(part, "differences"), frame.drop(columns=["metric", "k"]), caption, columns)


def headline_tests(part: Part) -> pd.DataFrame:
    metric, k = part.headlines[0]
    tests = part.meta("significance")
    return tests[(tests["metric"] == metric) & (tests["k"] == k)].reset_index(drop=True)


def detectable(part: Part, tests: pd.DataFrame) -> pd.Series:
    """The smallest difference of each pair that these users could have shown; NaN where no user differs."""
    metric, k = part.headlines[0]
    users = part.standings(metric, k)["users"].min()
    deviation = (tests["difference"] / tests["effect_size"]).abs()
    return STANDARD_ERRORS * deviation / np.sqrt(users)


def smallest_difference(part: Part) -> Iterator[str]:
    """What differences these users could have shown; nothing where no pair differs."""
    metric, k = part.headlines[0]
    found = detectable(part, headline_tests(part)).dropna()
    if len(found):
        low, high = (f"{end:.{DIGITS}f}" for end in (found.min(), found.max()))
        span = low if low == high else f"{low} to {high}, depending on the pair,"
        yield f"These users could have shown a difference of {span} in {metric}@{k} with {percent(POWER)} power."
