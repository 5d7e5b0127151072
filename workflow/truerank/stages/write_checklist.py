"""Answer what a reviewer would ask, from what the study wrote."""

from collections.abc import Sequence

import pandas as pd

from truerank.artefacts.files import read_json, read_table, write_json
from truerank.core.checklist import Evidence, as_markdown, checklist
from truerank.provenance import PathLike, whole
from truerank.stages import Files, Settings


def write_checklist(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the checklist as rows and as Markdown. settings : ``config``, the whole of it."""
    select = settings.config["select"]
    name = "ranking" if "ranking" in select else "sampling"
    part = select[name]
    place = 0 if name == "ranking" or len(inputs.summary) == 1 else len(inputs.summary) - 1
    of = Evidence(
        settings.config,
        part,
        read_json(inputs.facts),
        read_json(inputs.split_facts[place]),
        selected(read_table(inputs.summary[place]), part["metrics"]),
        selected(read_table(inputs.significance[place]), part["metrics"]),
        table_of(inputs.replicates),
        table_of(inputs.groups),
    )
    answers = checklist(of)
    write_json(outputs.checklist, [answer._asdict() for answer in answers])
    with whole(outputs.checklist_page) as temporary:
        text = "\n".join(as_markdown(settings.names[0], answers)) + "\n"
        temporary.write_text(text, encoding="utf-8")


def table_of(paths: Sequence[PathLike]) -> pd.DataFrame | None:
    """Return the one table that there is, None if there is none."""
    return read_table(paths[0]) if paths else None


def selected(frame: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    return frame[frame["metric"].isin(metrics)]
