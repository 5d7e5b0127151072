"""Choose settings to try, one trial after the other, by what the earlier trials gave."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution


@dataclass(frozen=True)
class Range:
    """The numbers from ``low`` to ``high``, both included; drawn evenly on a logarithmic scale if ``log``."""

    low: float
    high: float
    log: bool = False
    whole: bool = False


Settings = dict[str, Any]
Space = Range | Sequence[Any]  # or the choices


class TrialError(Exception):
    """The model could not be trained with the settings of a trial; the search goes on."""


@dataclass(frozen=True)
class Trial:
    """Settings that were tried, and the value that they gave; None if there is none, with the ``failure`` if any."""

    settings: dict[str, Any]
    value: float | None
    failure: str | None = None


def search(
    spaces: Mapping[str, Space],
    value_of: Callable[[Settings], float | None],
    n_trials: int,
    rng: np.random.Generator,
    higher_is_better: bool = True,
    finished: Iterable[Trial] = (),
) -> Iterator[Trial]:
    """Yield ``n_trials`` trials, settings drawn by a tree-structured Parzen estimator that learns from earlier ones.

    spaces : name -> ``Range`` or a list of choices. value_of : function from settings to a value, or None; may raise
    ``TrialError``, and any other exception ends the search.
    finished : the first trials of an interrupted search. They are gone through again, so that the sampler is where it
    was, and yield the values that they had, up to the first one that this search would not have tried. Settings that
    are drawn again, as from short lists, have the value that they had before.

    Bergstra, Bardenet, Bengio & Kégl 2011, Algorithms for hyper-parameter optimization; library Optuna.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=int(rng.integers(2**31)))
    study = optuna.create_study(direction="maximize" if higher_is_better else "minimize", sampler=sampler)
    distributions = {name: distribution(space) for name, space in spaces.items()}
    finished = list(finished)
    done: list[Trial] = []
    for number in range(n_trials):
        asked = study.ask(distributions)
        settings = {name: asked.params[name] for name in spaces}
        if number < len(finished) and finished[number].settings == settings:
            trial = finished[number]
        else:
            finished = []
            known = (earlier for earlier in done if earlier.settings == settings)
            trial = next(known, None) or tried(settings, value_of)
        done.append(trial)
        without = trial.value is None
        study.tell(asked, trial.value, state=optuna.trial.TrialState.FAIL if without else None)
        yield trial


def tried(settings: Settings, value_of: Callable[[Settings], float | None]) -> Trial:
    try:
        return Trial(settings, value_of(settings))
    except TrialError as failure:
        return Trial(settings, None, str(failure))


def distribution(space: Space) -> "BaseDistribution":
    """Return a space in Optuna's words."""
    from optuna import distributions

    if not isinstance(space, Range):
        return distributions.CategoricalDistribution(space)
    if space.whole:
        return distributions.IntDistribution(int(space.low), int(space.high), log=space.log)
    return distributions.FloatDistribution(space.low, space.high, log=space.log)


def best(trials: Iterable[Trial], higher_is_better: bool = True) -> int | None:
    """Return the number of the trial with the best value, the first of equals, from 0; None if no trial has a value."""
    worst = float("-inf")
    scores = [worst if t.value is None else t.value if higher_is_better else -t.value for t in trials]
    top = max(scores, default=worst)
    return None if top == worst else scores.index(top)
