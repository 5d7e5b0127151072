"""Cut a dataset into training and test rows."""

from truerank.artefacts.files import parts_writer, write_json
from truerank.artefacts.interactions import StoredRows
from truerank.core.splitting import Cutting, hold_out
from truerank.registry import SPLITS
from truerank.stages import Files, Settings
from truerank.stages.check_relevance import count_relevant


def split_interactions(inputs: Files, settings: Settings, outputs: Files) -> None:
    """Write the training rows, the test rows and the counts; refuse a test part with nothing to find.

    Some users are in memory at a time, or all for a kind of split that is not ``by_user``.

    settings : the definition of the ``split``; ``split_rows``, the name of its random choice; ``seed``; ``relevance``,
    the rule, which the config's ``relevance_key`` sets. Another rule makes no other split.
    """
    stored, by_user = StoredRows(inputs.interactions), SPLITS.of(settings.split).facts.by_user
    rule = settings.split, (settings.names[0], settings.split_rows), settings.seed, inputs.interactions
    cutting = Cutting(*rule, lambda: stored.moments, stored.edges)
    with parts_writer(outputs.train) as write_train, parts_writer(outputs.test) as write_test:
        for block in stored.blocks() if by_user else [stored.whole()]:
            train, test = cutting.cut(block)
            write_train(train)
            write_test(test)
        if cutting.is_empty:  # the reason is one of all rows
            hold_out(stored.whole(), *rule)
        facts = cutting.facts()
    write_json(outputs.split_facts, facts)
    count_relevant(outputs.train, outputs.test, inputs.facts, settings)
