"""A stream whose failure ends what it shows, and not the run that writes to it."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO


class Lasting:
    """Write to a stream until that fails (a closed pipe, a full disk, a terminal that went away), then nowhere.

    The same goes for all that the run starts afterwards, which has the same stream. stream : None if it is closed.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = stream or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  open until the end

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        with self.to_nowhere_on_failure():
            self.stream.write(text)
        return len(text)

    def flush(self) -> None:
        with self.to_nowhere_on_failure():
            self.stream.flush()

    @contextlib.contextmanager
    def to_nowhere_on_failure(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, self.stream.fileno())
                os.close(nowhere)


def last() -> None:
    """Let Snakemake's own words not end a run either; when it is Snakemake that imports this package."""
    if Path(sys.argv[0]).stem in ("snakemake", "__main__"):
        sys.stderr = Lasting(sys.stderr)
