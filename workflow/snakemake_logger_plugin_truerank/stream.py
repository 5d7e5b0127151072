"""A stream whose failure ends what it shows, and not the run that writes to it."""

import contextlib
import os
import sys
from pathlib import Path


class Lasting:
    """Write to a stream until that fails (a closed pipe, a full disk, a terminal that went away), then nowhere.

    The same goes for all that the run starts afterwards, which has the same stream. stream : None if it is closed.
    """

    def __init__(self, stream):
        self.stream = stream or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  open until the end

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def write(self, text):
        with self.to_nowhere_on_failure():
            self.stream.write(text)
        return len(text)

    def flush(self):
        with self.to_nowhere_on_failure():
            self.stream.flush()

    @contextlib.contextmanager
    def to_nowhere_on_failure(self):
        try:
            yield
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, self.stream.fileno())
                os.close(nowhere)


def last():
    """Let Snakemake's own words not end a run either; when it is Snakemake that imports this package."""
    if Path(sys.argv[0]).stem in ("snakemake", "__main__"):
        sys.stderr = Lasting(sys.stderr)
