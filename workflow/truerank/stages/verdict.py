"""Say which metric to report on a dataset, and what sampling would have done."""

from typing import Any

from truerank.artefacts.files import read_json, read_table, write_json
from truerank.core.advice import advice, as_rows
from truerank.core.verdict import on_metrics, on_sampling
from truerank.stages import Files, Settings


def verdict(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the verdict on the metrics of the ranking part, and on sampling, each where the study has it.

    settings : ``ranking_metrics``, in the order of the config, and ``ranking_definitions``; ``samplers_of_hundred``,
    those that draw 100 negatives.
    """
    found: dict[str, Any] = {"metrics": None, "sampling": None}
    power = swept = correlation = None
    if inputs.significance:
        paths = (inputs.significance, inputs.discriminative_power, inputs.best_set)
        tables = (read_table(path) for (path,) in paths)
        tests, power, best = (table[table["metric"].isin(settings.ranking_metrics)] for table in tables)
        users = read_json(*inputs.split_facts)["test_users"]
        swept = read_table(*inputs.robustness_summary)
        found["metrics"] = on_metrics(tests, power, best, users, settings.ranking_metrics, swept)
    if inputs.order:
        found["sampling"] = on_sampling(read_table(*inputs.order), settings.samplers_of_hundred)
    if inputs.significance:
        correlation = read_table(*inputs.correlation)
        found["advice"] = as_rows(advice(found, power, swept, correlation, settings.ranking_definitions))
    write_json(outputs.verdict, found)
