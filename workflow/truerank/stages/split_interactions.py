"""Cut a dataset into training and test rows."""

import pyarrow.parquet as pq

from truerank.artefacts.files import readable, write_json, write_table
from truerank.core.splitting import hold_out
from truerank.stages import Files, Settings
from truerank.stages.check_relevance import relevant_of


def split_interactions(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the training rows, the test rows and the counts; refuse a test part with nothing to find.

    settings : the definition of the ``split``; ``split_rows``, the name of its random choice; ``seed``; ``relevance``,
    the rule, which the config's ``relevance_key`` sets. Another rule makes no other split.
    """
    with readable(inputs.interactions):
        interactions = pq.read_table(inputs.interactions)
    names = settings.names[0], settings.split_rows
    parts = hold_out(interactions, settings.split, names, settings.seed, inputs.interactions)
    write_table(outputs.train, parts.train)
    write_table(outputs.test, parts.test)
    write_json(outputs.split_facts, parts.facts)
    relevant_of(outputs.train, outputs.test, inputs.facts, settings)
