"""Remember the finished trials of a search until it ends, so that one that was killed goes on where it was."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from truerank.artefacts.files import read_json, write_json
from truerank.errors import UserError
from truerank.provenance import PathLike
from truerank.tuning.search import Trial


class Journal:
    """A file of trials, whole at every moment. search : all that the trials depend on, as JSON can write it.

    Trials of another search, other data or settings or code, are not read.
    """

    def __init__(self, path: PathLike, search: Any) -> None:
        self.path = path
        self.search = hashlib.sha256(json.dumps(search, sort_keys=True).encode()).hexdigest()

    def read(self) -> list[Trial]:
        """Return the trials that were written, none if there is no file or it is damaged or of another search."""
        try:
            content = read_json(self.path)
            trials = [Trial(**trial) for trial in content["trials"]]
            return trials if content["search"] == self.search else []
        except (FileNotFoundError, UserError, KeyError, TypeError):  # the last two: JSON of another shape
            return []

    def write(self, trials: Iterable[Trial]) -> None:
        write_json(self.path, {"search": self.search, "trials": [asdict(trial) for trial in trials]})
