"""Measure how far predicted ratings sell items above or below what their users think of them."""

from truerank.artefacts.files import REAL, TEXT, write_table
from truerank.artefacts.split import Split
from truerank.core.migration import migrations
from truerank.stages import Files, Settings
from truerank.stages.ranked_users import read_ranked_users

TYPES = {"model": TEXT, "level": TEXT, "up_sold": REAL, "down_sold": REAL, "accurate": REAL}


def measure_migration(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the shares of up-sold, down-sold and perfectly sold items per model and level of relevance.

    settings : ``model_names``, ``migration``.
    """
    ranked = read_ranked_users(inputs.ranks, Split.of(inputs))
    write_table(outputs.migration, migrations(settings.model_names, ranked, settings.migration), TYPES)
