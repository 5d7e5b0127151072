"""Whether models differ: measured on the same users, or each on users of its own."""

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as shortened

import numpy as np
import pandas as pd

from truerank.api.results import Result
from truerank.blas import single_threaded_blas
from truerank.cli.checks import check_between, percent
from truerank.cli.lists import check_outputs, write_outputs
from truerank.cli.tables import decimal, interval, lines_of, p_value
from truerank.cli_input import STANDARD_INPUT, named, read_user_values, read_values
from truerank.core.comparing import ALPHA, DRAWS, POWER, Compared, Scores, compare_independent, compare_paired
from truerank.errors import UserError
from truerank.estimators._core.user_sampling import are_hits, has_spread, one_sided_p, z_test
from truerank.provenance import generator


@dataclass(frozen=True)
class ComparedValues(Result):
    """Models compared."""

    summary: pd.DataFrame
    pairs: pd.DataFrame


def run(choices: argparse.Namespace) -> Iterator[str]:
    """Yield one line about the method, a table with a row per pair, and a line about its columns."""
    check_between("confidence", choices.confidence, 0, 1)
    check_outputs(choices)
    paths = name_files(choices.values)
    compared, method, effect, more = (independent if choices.independent else paired)(paths, choices)
    write_outputs(choices, ComparedValues(compared.summary, compared.pairs))
    width = f"{percent(choices.confidence)} interval of each pair"
    yield f"{method}, {width}; Holm and FDR over {len(compared.pairs)} pair(s)"
    yield from table(compared.pairs, more)
    yield legend(effect)


def legend(effect: str) -> str:
    """Return what the columns of a table of pairs are. effect : what a mean difference is divided by."""
    return (
        f"effect: mean difference / {effect}; detectable: smallest difference shown with {percent(POWER)} power at p < "
        f"{ALPHA:g} (normal approximation)"
    )


def paired(paths: Mapping[str, str], choices: argparse.Namespace) -> tuple[Compared, str, str, dict[str, list[str]]]:
    """Return the comparison of models on the same users, the method, the divisor of effects, and more columns."""
    values = {model: read_user_values(path) for model, path in paths.items()}
    users = common_users(paths, values)
    scores = np.array([[own[user] for own in values.values()] for user in users])
    low, high = range_of(scores)
    with single_threaded_blas():
        compared = compare_paired(
            list(paths),
            [Scores(scores, low=low, high=high)],
            generator(choices.seed, "compare"),
            confidence=choices.confidence,
            threads=os.cpu_count() or 1,
        )
    method = f"{len(users):,} users, paired by user id: sign-flip test ({DRAWS:,} draws, seed {choices.seed})"
    return compared, method, "standard deviation of differences", {}


def independent(
    paths: Mapping[str, str], choices: argparse.Namespace
) -> tuple[Compared, str, str, dict[str, list[str]]]:
    """Return the same for models that were measured on users of their own."""
    values = {model: read_values(path) for model, path in paths.items()}
    low, high = range_of(np.concatenate(list(values.values())))
    if not np.isfinite(high):
        check_spread({paths[model]: own for model, own in values.items()})
    compared = compare_independent(values, choices.confidence, low, high)
    counts = " and ".join(f"{len(own):,}" for own in values.values())
    more = {}
    if are_hits(*values.values()):
        sides = [(values[a], values[b]) for a, b in zip(compared.pairs.model_a, compared.pairs.model_b, strict=True)]
        tests = [z_test(a.sum(), b.sum(), len(a), len(b)) for a, b in sides]
        more["a-is-lower"] = [p_value(float(one_sided_p(z))) for z, _ in tests]
        more["z-test"] = [p_value(float(p)) for _, p in tests]
    method = f"{counts} users, taken as independent samples: Welch's t-test"
    return compared, method, "root of the mean of both variances", more


def name_files(arguments: Sequence[str]) -> dict[str, str]:
    """Return the path of every model, which has the name that NAME=FILE gives it, or else the file's stem."""
    paths: dict[str, str] = {}
    for argument in arguments:
        name, equals, path = argument.partition("=")
        if not equals or os.path.lexists(argument):
            name, path = named(argument) if argument == STANDARD_INPUT else Path(argument).stem, argument
        if not name or not path:
            raise UserError(f"{shortened(argument)} cannot be read, expected FILE or NAME=FILE; correct it")
        if name in paths:
            raise UserError(
                f"{named(paths[name])} and {named(path)} both have the name {shortened(name)}, expected a name for "
                f"each model; give them, such as other={path}"
            )
        paths[name] = path
    if len(paths) < 2:
        told = f"{named(*paths.values())} is the only file, expected two or more"
        raise UserError(f"{told}; add the files to compare it with")
    return paths


def common_users(paths: Mapping[str, str], values: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return the users in order, who have to be the same in all files."""
    everyone = set().union(*values.values())
    common = everyone.intersection(*values.values())
    if not common:
        files = " and ".join(named(path) for path in list(paths.values())[:2])
        told = files if len(paths) == 2 else f"the {len(paths)} files"
        raise UserError(
            f"{told} have no user in common, expected the same users in each; write the user's id in front of each "
            "value, or, if every file has users of its own, give --independent"
        )
    if len(common) < len(everyone):
        user = min(everyone - common)
        with_user, without = (
            next(named(paths[model]) for model, own in values.items() if (user in own) == there)
            for there in (True, False)
        )
        raise UserError(
            f"{len(everyone - common):,} of {len(everyone):,} users are not in all files, such as {shortened(user)}, "
            f"who is in {with_user} and not in {without}, expected the same users in each; leave them out of all, or "
            "give them the value 0 where they are missing"
        )
    return sorted(common)


def range_of(values: np.ndarray) -> tuple[float, float]:
    """Return the range of the metric: 0 to 1 if all values are in it, endless if not."""
    return (0.0, 1.0) if values.min() >= 0 and values.max() <= 1 else (-np.inf, np.inf)


def check_spread(samples: Mapping[str, np.ndarray]) -> None:
    """Refuse a sample of one value again and again, where no bounds of the metric stand in for the spread it lacks."""
    for path, values in samples.items():
        if not has_spread(values):
            raise UserError(
                f"{named(path)} has the value {values[0]:g} for all {len(values):,} users, expected values that "
                "differ, since only a metric between 0 and 1 has an interval without; measure more users"
            )


def table(pairs: pd.DataFrame, more: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a heading and a line per pair."""
    columns = {
        "pair": [f"{a} - {b}" for a, b in zip(pairs.model_a, pairs.model_b, strict=True)],
        "difference": [decimal(value) for value in pairs.difference],
        "interval": [interval(low, high) for low, high in zip(pairs.ci_low, pairs.ci_high, strict=True)],
        "effect": [decimal(value, 3) for value in pairs.effect_size],
        "p": [p_value(p) for p in pairs.p_value],
        "Holm": [p_value(p) for p in pairs.p_holm],
        "FDR": [p_value(p) for p in pairs.p_fdr],
        "detectable": [decimal(value) for value in pairs.detectable],
        **more,
    }
    if pairs.metric.notna().all():
        columns = {"metric": [f"{name}@{k}" for name, k in zip(pairs.metric, pairs.k, strict=True)], **columns}
    yield from lines_of(columns, 1 + (len(columns) > 8 + len(more)))
