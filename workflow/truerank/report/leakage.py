"""Does training know the future of the test? What a split lets models learn that a live system could not."""

from collections.abc import Iterator

import pandas as pd
from markupsafe import Markup

from truerank.registry import SPLITS
from truerank.report.block import Block, Blocks, Prose, bold, code
from truerank.report.data import percent
from truerank.report.parts import each_part, table_name
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table

DIGITS = 4
NO_TIMES = (
    "Leakage does not apply: the data has no times on both sides of the split, so whether training is later than the "
    "test is not known."
)
SHARES = {
    "later_than_a_test_row": "training rows later than a test row of another user",
    "later_than_median": "training rows later than the median test row",
    "later_on_average": "other users’ training rows later than a test row, on average",
    "own_later": "test rows with a later training row of the same user",
}
WHAT = {
    "user_fraction": "Rows are held out at random, so models learn from what the same users did afterwards.",
    "leave_last_out": "Each user’s last row is held out, and other users’ rows from after that moment are in training.",
    "global_time": "Everything after one moment is held out, so no training row is later than a test row.",
}
FLAGGED = "Figures may be better than those of a system that knows only the past."


def leakage(study: OpenStudy) -> Block:
    """Per part, how much of training is later than the test, and what a split by time says of the models."""
    return each_part(
        study, lambda part: Blocks(Prose(Markup(" ").join(sentences(part))), *shares(part), *by_time(part))
    )


def shares(part: Part) -> Iterator[Block]:
    """The table of all shares; none where times are not known."""
    found = part.facts.get("leakage")
    if found is not None:
        frame = pd.DataFrame([(SHARES[key], found[key]) for key in SHARES], columns=["rows", "share"])
        caption = f"How much of training is later than the test on the split {part.split}, shares from 0 to 1"
        columns = [Column("rows"), Column("share", digits=3)]
        yield Table(table_name(part, "leakage"), frame, caption, columns, sortable=False)


def sentences(part: Part) -> Iterator[str]:
    """What the split is, flagged where training is later than the test."""
    found = part.facts.get("leakage")
    if found is None:
        yield NO_TIMES
        return
    kind = part.facts.get("kind", part.split)
    if kind in WHAT:
        yield WHAT[kind]
    if leaks(part):
        yield Markup("{} {}").format(bold("Flagged: training is later than the test."), FLAGGED)
    yield (
        f"Of the training rows {share(found, 'later_than_a_test_row')} are later than the test row of another user, "
        f"{share(found, 'later_than_median')} later than the median test row. For a test row, on average "
        f"{share(found, 'later_on_average')} of other users’ training rows are later; {share(found, 'own_later')} of "
        "the test rows have a later training row of the same user."
    )


def leaks(part: Part) -> bool | None:
    """Whether any training row is later than a test row; None where times are not known."""
    found = part.facts.get("leakage")
    return None if found is None else bool(found["later_than_a_test_row"] or found["own_later"])


def share(found: dict[str, float | None], name: str) -> str:
    value = found[name]
    return "an unknown share" if value is None else percent(value)


def by_time(part: Part) -> Iterator[Block]:
    """The leaderboard under the headline metric beside that of a split by time, where the study has one."""
    if part.name != "ranking":
        return
    selected = part.study.selection.by_time
    if not selected:
        if leaks(part):
            kinds = (name for name, own in part.study.config["splits"].items() if SPLITS.of(own).name == "global_time")
            split = next(kinds, "time_cut")
            setting = f"by_time: {{split: {split}, models: [..]}}"
            text = "What a split at one moment would say was not measured; {} in the ranking part does."
            yield Prose(Markup(text).format(code(setting)))
        return
    metric, k = part.headlines[0]
    frame = part.meta("by_time")
    frame = frame[(frame["metric"] == metric) & (frame["k"] == k)]
    if frame.empty:
        yield Prose(f"The split by time has no {metric}@{k} to compare.")
        return
    frame = frame.sort_values("value", ascending=not part.higher_is_better(metric)).reset_index(drop=True)
    yield Prose(order_sentence(part, frame, f"{metric}@{k}", selected["split"]))
    columns = [
        Column("model"),
        Column("value", f"{metric}@{k}, {part.split}", DIGITS, low="ci_low", high="ci_high"),
        Column("value_by_time", f"{selected['split']}", DIGITS, low="ci_low_by_time", high="ci_high_by_time"),
    ]
    caption = f"{metric}@{k} on the study’s split and on {selected['split']}, which trains only on the past"
    yield Table("by_time", frame.drop(columns=["metric", "k"]), caption, columns)


def order_sentence(part: Part, frame: pd.DataFrame, name: str, split: str) -> Markup:
    better = "idxmax" if part.higher_is_better(part.headlines[0][0]) else "idxmin"
    own, other = (frame.at[getattr(frame[column], better)(), "model"] for column in ("value", "value_by_time"))
    if own == other:
        return Markup("By {}, {} leads on both splits, of {} models.").format(name, bold(own), len(frame))
    ends = frame.set_index("model").loc[[own, other], ["ci_low_by_time", "ci_high_by_time"]].to_numpy()
    overlap = ends[:, 0].max() <= ends[:, 1].min()
    sure = " Their intervals overlap there, so this may be chance." if overlap else ""
    return Markup("{} By {}, {} leads on {} and {} on {}.{}").format(
        bold("The leader changes."), name, bold(own), part.split, bold(other), split, sure
    )
