"""Measure how far predicted ratings sell items above or below what their users think of them."""

from truerank.artefacts.files import REAL, TEXT, write_table
from truerank.artefacts.rank_table import read_judgements
from truerank.artefacts.split import Split
from truerank.core.migration import migrations

TYPES = {"model": TEXT, "level": TEXT, "up_sold": REAL, "down_sold": REAL, "accurate": REAL}


def measure_migration(inputs, settings, outputs):
    """Write the shares of up-sold, down-sold and perfectly sold items per model and level of relevance.

    settings : ``model_names``, ``migration``.
    """
    split = Split.of(inputs)
    history, tables = split.history(), dict(zip(settings.model_names, inputs.ranks, strict=True))
    models = {model: read_judgements(path, history, split.scale) for model, path in tables.items()}
    write_table(outputs.migration, migrations(models, settings.migration), TYPES)
