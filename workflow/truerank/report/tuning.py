"""Which settings were searched for, what was tried, and what was chosen."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from truerank.artefacts.files import read_json, read_table
from truerank.report.block import Block, Blocks, Folded, Prose
from truerank.report.study import OpenStudy
from truerank.report.table import Column, Table


def tuning(study: OpenStudy) -> Block:
    """The chosen settings of every model that was tuned, and all that was tried, per split."""
    names = dict.fromkeys((part.split, name) for part in study.parts for name in part.selected["models"])
    folder = study.results / "tuning" / study.dataset
    tuned = {
        (split, name): (read_json(folder / split / f"{name}.json"), read_table(folder / split / f"{name}.parquet"))
        for split, name in names
        if "tune" in study.config["models"][name]
    }
    if not tuned:
        return Prose("No settings were searched for: all are those of the configuration.")
    searches = [search_table(*key, *found) for key, found in tuned.items()]
    return Blocks(chosen_table(tuned), Folded("All settings that were tried", *searches))


def chosen_table(tuned: Mapping[tuple[str, str], tuple[dict[str, Any], pd.DataFrame]]) -> Table:
    """The chosen settings with the value that chose them, on rows held out of the training part."""
    rows = []
    for (split, name), (chosen, _) in tuned.items():
        settings, held_out = in_words(chosen["settings"]), in_words(chosen["validation"])
        rows.append([split, name, settings, chosen["metric"], chosen["value"], chosen["trials"], held_out])
    names = ["split", "model", "chosen settings", "metric", "value", "trials", "held out"]
    caption = "Settings chosen by their value on rows held out of the training part; the test part was not used"
    columns = [Column(name, digits=4 if name == "value" else None) for name in names]
    return Table("tuning", pd.DataFrame(rows, columns=names), caption, columns)


def search_table(split: str, name: str, chosen: Mapping[str, Any], trials: pd.DataFrame) -> Table:
    """All settings that were tried for one model, in the order of trial."""
    caption = f"Settings tried for {name} on split “{split}”; trial {chosen['trial']} was chosen"
    columns = [Column(key, chosen["metric"] if key == "value" else None) for key in trials.columns]
    return Table(f"search_{split}_{name}", trials, caption, columns)


def in_words(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}: {short(value)}" for key, value in settings.items())


def short(value: Any) -> Any:
    return f"{value:.4g}" if isinstance(value, float) else value
