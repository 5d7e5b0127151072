"""For whom the order of the models holds: who leads in each group of users, and of test items."""

from collections.abc import Iterator

import pandas as pd
from markupsafe import Markup

from truerank.report.block import Block, Blocks, Prose, bold
from truerank.report.grouped import ALPHA
from truerank.report.study import OpenStudy, Part
from truerank.report.table import Column, Table

DIGITS = 4
NONE = "Groups do not apply: with one model, or without a headline metric, there is no leader."


def user_groups(study: OpenStudy) -> Block:
    """Who leads in every group under the headline metric of the ranking part, flagged where the leader changes."""
    part = next((part for part in study.parts if part.name == "ranking"), None)
    if part is None:
        return Prose("Groups do not apply: the study has no ranking part.")
    values, pairs = part.meta("groups"), part.meta("group_pairs")
    if values.empty:
        return Prose(NONE)
    frame = leaders(part, values, pairs)
    metric, k = frame["metric"].iloc[0], frame["k"].iloc[0]
    columns = [Column("by"), Column("group"), Column("users"), Column("leader"), Column("value", digits=DIGITS)]
    columns += [Column("next"), Column("difference", digits=DIGITS, low="ci_low", high="ci_high")]
    columns += [Column("p_holm", "p, Holm", DIGITS), Column("leader_changes", "leader changes")]
    caption = (
        f"Who leads by {metric}@{k} in each group, and by how much over the next; p is adjusted for the pairs of the "
        "group. In groups by popularity, only the users’ test items of that popularity count"
    )
    table = Table("groups", frame.drop(columns=["metric", "k"]), caption, columns)
    return Blocks(Prose(Markup(" ").join(sentences(part, frame, pairs))), table)


def leaders(part: Part, values: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """One row per group: its leader, the next, and whether the leader is another one than over all users."""
    metric, k = values["metric"].iloc[0], values["k"].iloc[0]
    first = part.leaders(metric, k)
    rows = []
    for (by, group), own in values.groupby(["by", "group"], sort=False):
        best = own.dropna(subset="value").sort_values("value", ascending=not part.higher_is_better(metric))
        if len(best) < 2:
            continue
        leader, following = best.iloc[0], best.iloc[1]
        test = between(pairs, by, group, leader["model"], following["model"])
        rows.append(
            {
                "by": by,
                "group": group,
                "users": own["users"].iloc[0],
                "metric": metric,
                "k": k,
                "leader": leader["model"],
                "value": leader["value"],
                "next": following["model"],
                **test,
                "leader_changes": "no" if leader["model"] in first else "yes",
            }
        )
    return pd.DataFrame(rows)


def between(pairs: pd.DataFrame, by: object, group: object, one: str, other: str) -> dict[str, float]:
    """The difference of two models in a group with its interval and p, the first less the second."""
    rows = pairs[(pairs["by"] == by) & (pairs["group"] == group)]
    for a, b, sign in ((one, other, 1), (other, one, -1)):
        found = rows[(rows["model_a"] == a) & (rows["model_b"] == b)]
        if len(found):
            row = found.iloc[0]
            ends = sorted([sign * row["ci_low"], sign * row["ci_high"]])
            difference = {"difference": sign * row["difference"], "ci_low": ends[0], "ci_high": ends[1]}
            return difference | {"p_holm": row["p_holm"]}
    return dict.fromkeys(("difference", "ci_low", "ci_high", "p_holm"), float("nan"))


def sentences(part: Part, frame: pd.DataFrame, pairs: pd.DataFrame) -> Iterator[str]:
    """Whether the leader over all users leads in every group; where not, who does, and whether that may be chance."""
    metric, k = frame["metric"].iloc[0], frame["k"].iloc[0]
    first = part.leaders(metric, k)[0]
    changed = frame[frame["leader_changes"] == "yes"]
    if changed.empty:
        yield Markup("{} leads by {} in all {} groups.").format(bold(first), f"{metric}@{k}", len(frame))
        return
    yield Markup("{} {} leads over all users by {}, and in {} of {} groups.").format(
        bold("The leader changes."), bold(first), f"{metric}@{k}", len(frame) - len(changed), len(frame)
    )
    for row in changed.itertuples():
        p = between(pairs, row.by, row.group, row.leader, first)["p_holm"]
        sure = "more than chance" if p < ALPHA else "this may be chance"
        yield Markup("By {}, {}: {} leads ({} against {}, p = {} after Holm).").format(
            row.by, row.group, bold(row.leader), sure, first, f"{p:.2g}"
        )
