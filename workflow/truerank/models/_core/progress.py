"""Tell how training goes: a line in the log per step, and the loss curve."""

import logging
import time
from collections.abc import Callable

Callback = Callable[..., None]  # called with a step, the number of steps and, where there is one, the loss

log = logging.getLogger(__name__)


def phase(callback: Callback | None, before: int, steps: int, curve: bool = True) -> Callback | None:
    """Return the callback of one phase of a training of ``steps`` in all, the one that comes after ``before`` steps."""
    if callback is None:
        return None
    return lambda step, _, loss=None: callback(before + step, steps, loss, curve)


class Progress:
    """A callback that logs each step with the time left, and remembers the losses.

    steps count from 1. A step without a loss, or with one that does not belong to the ``curve``, is logged and not
    remembered.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.clock = clock
        self.start = clock()
        self.curve: dict[str, list[float]] = {"step": [], "loss": [], "seconds": []}

    def __call__(self, step: int, steps: int, loss: float | None = None, curve: bool = True) -> None:
        seconds = self.clock() - self.start
        left = seconds / step * (steps - step)
        figure = "" if loss is None else f", loss {loss:.6g}"
        log.info("step %d of %d%s, %.1f s, about %.0f s left", step, steps, figure, seconds, left)
        if loss is not None and curve:
            for name, value in zip(self.curve, (step, float(loss), seconds), strict=True):
                self.curve[name].append(value)
