"""Watch over one call on hostile input: only a user's error, no hang, and memory in proportion to the input."""

import contextlib
import signal
import tracemalloc

import pyarrow as pa
from truerank.errors import UserError

SECONDS = 20  # far more than any input of a few kilobytes needs, on a busy machine too
TIMES, AT_LEAST = 60, 8 << 20  # bytes of memory per byte of uncompressed input, and what any call may use


_pools = []  # kept: buffers of Arrow's may outlive the call, and are given back to the pool that they are from


class TooSlow(BaseException):
    """A call did not end; no handler for exceptions may take it for a mistake in the input."""


@contextlib.contextmanager
def guarded(size=None, seconds=SECONDS):
    """Let a UserError pass silently, in one sentence; everything else is the test's failure.

    size : of the input; memory is not watched without it. Watching goes on after the call, until ``stop_watching``:
    Python may crash where it stops while one of Arrow's threads gives memory back.
    """

    def stop(*_):
        raise TooSlow(f"no end after {seconds} s")

    usual = pa.default_memory_pool()
    watched = pa.proxy_memory_pool(usual)
    _pools.append(watched)
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    pa.set_memory_pool(watched)
    if size is not None:
        tracemalloc.start()  # nothing, if it has started
        tracemalloc.reset_peak()
        at_start, _ = tracemalloc.get_traced_memory()
    try:
        yield
    except UserError as mistake:
        sentence = str(mistake)
        assert sentence
        assert "\n" not in sentence, "one sentence on one line"
    finally:
        peak = 0 if size is None else tracemalloc.get_traced_memory()[1] - at_start + (watched.max_memory() or 0)
        pa.set_memory_pool(usual)
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    assert size is None or peak <= AT_LEAST + TIMES * size, f"{peak} bytes for an input of {size}"


def stop_watching():
    """Stop watching memory; once, after all calls."""
    tracemalloc.stop()
