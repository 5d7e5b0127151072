"""Cut a dataset into training and test rows."""

import pyarrow.parquet as pq

from truerank.artefacts.files import readable, write_json, write_table
from truerank.core.splitting import hold_out
from truerank.stages import Files, Settings


def split_interactions(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the training rows, the test rows and the counts. settings : the definition of the ``split``, ``seed``."""
    with readable(inputs.interactions):
        interactions = pq.read_table(inputs.interactions)
    parts = hold_out(interactions, settings.split, settings.names, settings.seed, inputs.interactions)
    write_table(outputs.train, parts.train)
    write_table(outputs.test, parts.test)
    write_json(outputs.split_facts, parts.facts)
