"""Check that a split has something to find, before anything is trained or evaluated."""

from truerank.artefacts.files import read_columns, read_json, write_json
from truerank.artefacts.split import TestRows
from truerank.core.relevance import nothing_relevant, relevant_rows
from truerank.stages import Files, Settings


def check_relevance(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write how many test rows are relevant, or refuse a split that has none.

    settings : ``relevance``, the rule, which the config's ``relevance_key`` sets.
    """
    train, test = (TestRows(*read_columns(path, "user", "item", "rating")) for path in (inputs.train, inputs.test))
    scale = read_json(inputs.facts)["rating_scale"]
    relevant = relevant_rows(test, train, settings.relevance, scale)
    if not relevant.any():
        raise nothing_relevant(settings.relevance, settings.relevance_key, settings.names, test.rating, scale)
    write_json(outputs.relevance, {"rows": len(relevant), "relevant": int(relevant.sum())})
