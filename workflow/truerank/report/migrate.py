"""How far predicted ratings sell items above or below what their users think (Aftab & Ramampiaro 2022, Table 2)."""

from truerank.report.block import Prose
from truerank.report.table import Column, Table

DIGITS = 3


def migration(study):
    """Shares of up-sold, down-sold and perfectly sold items, per model and level of relevance."""
    part = next((part for part in study.parts if part.name == "ranking"), None)
    if part is None:
        return Prose("This does not apply: the study has no ranking part.")
    table = part.meta("migration")
    if table.empty:
        return Prose("This does not apply: no model of this study predicts ratings.")
    settings = study.config["migration"]
    frame = table.assign(moved=table["us"] + table["ds"])
    columns = [Column("model"), Column("level", "rated")]
    labels = {"us": "up-sold", "ds": "down-sold", "moved": "either", "ps": "perfect"}
    columns += [Column(key, label, DIGITS) for key, label in labels.items()]
    caption = (
        f"Migration among each user’s {settings['top']} test items with the highest predictions, averaged over users; "
        f"within {settings['margin']:g} of the rating is perfect"
    )
    return Table("migration", frame[[column.key for column in columns]], caption, columns)
