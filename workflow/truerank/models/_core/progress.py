"""Tell how training goes: a line in the log per step, and the loss curve."""

import logging
import time

log = logging.getLogger(__name__)


def quiet(step, steps, loss=None, curve=True):
    """Tell nobody."""


def phase(tell, before, steps, curve=True):
    """Return what one phase of a training of ``steps`` in all tells, the one that comes after ``before`` steps."""
    return lambda step, _, loss=None: tell(before + step, steps, loss, curve)


class Progress:
    """A function ``tell(step, steps, loss)`` that logs each step with the time left, and remembers the losses.

    steps count from 1. A step without a loss, or with one that does not belong to the ``curve``, is logged and not
    remembered.
    """

    def __init__(self, clock=time.perf_counter):
        self.clock = clock
        self.start = clock()
        self.curve = {"step": [], "loss": [], "seconds": []}

    def __call__(self, step, steps, loss=None, curve=True):
        seconds = self.clock() - self.start
        left = seconds / step * (steps - step)
        figure = "" if loss is None else f", loss {loss:.6g}"
        log.info("step %d of %d%s, %.1f s, about %.0f s left", step, steps, figure, seconds, left)
        if loss is not None and curve:
            for name, value in zip(self.curve, (step, float(loss), seconds), strict=True):
                self.curve[name].append(value)
