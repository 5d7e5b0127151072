"""Measure how far predicted ratings sell items above or below what their users think of them."""

from truerank.artefacts.files import REAL, TEXT, write_table
from truerank.artefacts.rank_table import read_judgements
from truerank.artefacts.split import Split
from truerank.core.migration import migrations
from truerank.stages import Files, Settings

TYPES = {"model": TEXT, "level": TEXT, "up_sold": REAL, "down_sold": REAL, "accurate": REAL}


def measure_migration(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the shares of up-sold, down-sold and perfectly sold items per model and level of relevance.

    settings : ``model_names``, ``migration``.
    """
    split = Split.of(inputs)
    history, tables = split.history(), dict(zip(settings.model_names, inputs.ranks, strict=True))
    models = {model: read_judgements(path, history, split.scale) for model, path in tables.items()}
    write_table(outputs.migration, migrations(models, settings.migration), TYPES)
