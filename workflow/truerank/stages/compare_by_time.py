"""Set the leaderboard of a split beside that of a split by time."""

from truerank.artefacts.files import REAL, TEXT, read_table, write_table
from truerank.stages import Files, Settings

KEYS = ["model", "metric", "k"]
TYPES = {"model": TEXT, "metric": TEXT, "k": TEXT, "value": REAL, "ci_low": REAL, "ci_high": REAL}
TYPES |= {f"{name}_by_time": REAL for name in ("value", "ci_low", "ci_high")}


def compare_by_time(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the values of the models that both splits have, with their intervals."""
    own, by_time = (read_table(path)[[*KEYS, "value", "ci_low", "ci_high"]] for path in inputs.summary)
    write_table(outputs.by_time, own.merge(by_time, on=KEYS, suffixes=("", "_by_time")), TYPES)
