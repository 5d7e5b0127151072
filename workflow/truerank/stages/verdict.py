"""Say which metric to trust on a dataset, and what sampling would have done."""

from typing import Any

from truerank.artefacts.files import read_table, write_json
from truerank.core.verdict import on_metrics, on_sampling
from truerank.stages import Files, Settings


def verdict(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the verdict on the metrics of the ranking part, and on sampling, each where the study has it.

    settings : ``samplers_of_hundred``, those that draw 100 negatives; ``not_of_rankings``, metrics that were swept and
    do not judge a ranking.
    """
    found: dict[str, dict[str, Any] | None] = {"metrics": None, "sampling": None}
    if inputs.significance:
        paths = (inputs.significance, inputs.discriminative_power, inputs.robustness)
        tables = [read_table(path) for (path,) in paths]
        found["metrics"] = on_metrics(*(table[~table["metric"].isin(settings.not_of_rankings)] for table in tables))
    if inputs.order:
        found["sampling"] = on_sampling(read_table(*inputs.order), settings.samplers_of_hundred)
    write_json(outputs.verdict, found)
