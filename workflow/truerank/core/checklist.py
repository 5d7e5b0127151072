"""What a reviewer would ask of an offline evaluation, answered from what the study wrote.

Each answer is pass, fail, not known, or that the paper should state it: sound, but the reader has to be told.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import pandas as pd

from truerank.config.replicates import settings_of
from truerank.registry import METRICS, MODELS

PASS, FAIL, STATE, UNKNOWN = "pass", "fail", "state it", "not known"
ANSWERS = (PASS, FAIL, STATE, UNKNOWN)
DEEP = 50  # a cut-off from which a metric is one of deep lists
MOST_LEFT_OUT = 0.05  # of the users
ALPHA = 0.05


class Answer(NamedTuple):
    """A question, its answer, and why."""

    question: str
    answer: str
    why: str


class Evidence(NamedTuple):
    """What a study wrote of one part. part : what ``select`` says of it. groups : of users, None if not measured."""

    config: Mapping[str, Any]
    part: Mapping[str, Any]
    facts: Mapping[str, Any]
    split_facts: Mapping[str, Any]
    summary: pd.DataFrame
    significance: pd.DataFrame
    replicates: pd.DataFrame | None
    groups: pd.DataFrame | None


def checklist(of: Evidence) -> list[Answer]:
    """Return all questions with their answers."""
    first = ranking, ties, cutoffs, significance, effect_sizes, seeds
    return [question(of) for question in (*first, tuning, leakage, left_out, chosen, groups, data)]


def ranking(of: Evidence) -> Answer:
    question = "Are test items ranked among all candidates, not a sample?"
    lists = [name for name in of.part["models"] if MODELS.of(of.config["models"][name]).facts.inputs]
    if lists:
        return Answer(question, UNKNOWN, f"{', '.join(lists)}: lists of others, of which only what they list is known.")
    which = {
        "unseen": "all items but the user’s training items",
        "all": "all items",
        "tested": "unseen items that somebody has in the test set, not the whole catalogue",
    }[of.part.get("candidates", of.config["candidates"])]
    return Answer(question, PASS, f"Ranks are exact, among {which}.")


def ties(of: Evidence) -> Answer:
    question = "Are equal scores put in an order that favours no model?"
    rule = of.config["ties"]
    why = {
        "random": "They are put in a seeded random order.",
        "pessimistic": "Test items come last of those with their score.",
        "optimistic": "Test items come first of those with their score, which favours models with many equal scores.",
    }[rule]
    return Answer(question, FAIL if rule == "optimistic" else PASS, why)


def cutoffs(of: Evidence) -> Answer:
    question = "Is more than one cut-off reported, a deep one among them?"
    numbers = sorted(k for k in of.part["cutoffs"] if k != "all")
    listed = ", ".join(map(str, of.part["cutoffs"]))
    good = len(numbers) > 1 and numbers[-1] >= DEEP
    return Answer(question, PASS if good else FAIL, f"Cut-offs: {listed}.")


def significance(of: Evidence) -> Answer:
    question = "Are differences tested, with a correction for the number of pairs?"
    if of.significance.empty:
        return Answer(question, UNKNOWN, "With fewer than two models there is no pair to test.")
    pairs = len(of.significance.groupby(["model_a", "model_b"]))
    why = f"Paired sign-flip tests of {pairs} pair(s), unadjusted, by Holm and as FDR."
    return Answer(question, PASS, why)


def effect_sizes(of: Evidence) -> Answer:
    question = "Are sizes of differences reported, with intervals?"
    if of.significance.empty:
        return Answer(question, UNKNOWN, "With fewer than two models there is no difference.")
    known = of.significance[["effect_size", "ci_low"]].notna().all(axis=1).sum()
    why = f"{known:,} of {len(of.significance):,} differences have an effect size and an interval."
    return Answer(question, PASS if known else FAIL, why)


def seeds(of: Evidence) -> Answer:
    question = "Was the study repeated with other seeds, and did the leader stay?"
    asked = settings_of(of.part)
    if of.replicates is None or of.replicates.empty:
        return Answer(question, FAIL, "One split and one training of each model.")
    runs = f"{asked['splits']} split(s) with {asked['training']} training(s) each"
    changing = changing_leaders(of.replicates)
    if changing:
        why = f"{runs}; the leader changes under {len(changing)} metric(s), such as {changing[0]}."
        return Answer(question, FAIL, why)
    return Answer(question, PASS, f"{runs}; under every metric one model leads in all of them.")


def changing_leaders(replicates: pd.DataFrame) -> list[str]:
    """Return the metrics, all of rankings, under which not one model leads in all replicates."""
    found = []
    for (metric, k), own in replicates.groupby(["metric", "k"], sort=False):
        wide = own.pivot(index=["split_seed", "training_seed"], columns="model", values="value")
        if wide.idxmax(axis=1).nunique() > 1:
            found.append(f"{metric}@{k}")
    return found


def tuning(of: Evidence) -> Answer:
    question = "Were settings chosen on validation rows, not on the test?"
    models = {name: of.config["models"][name] for name in of.part["models"]}
    tuned = [name for name, own in models.items() if "tune" in own]
    rest = [name for name in models if name not in tuned]
    if not tuned:
        why = "No settings were tuned here; the origin of the settings in the config is not recorded."
        return Answer(question, UNKNOWN, why)
    why = f"Those of {', '.join(tuned)} were, on rows held out of training."
    if rest:
        return Answer(question, UNKNOWN, f"{why} Those of {', '.join(rest)} are the config’s, of unknown origin.")
    return Answer(question, PASS, why)


def leakage(of: Evidence) -> Answer:
    question = "Is no training row later than a test row?"
    found = of.split_facts.get("leakage")
    if found is None:
        return Answer(question, UNKNOWN, "The data has no times.")
    if not found["later_than_a_test_row"] and not found["own_later"]:
        return Answer(question, PASS, "No training row is later than any test row.")
    share = f"{100 * found['later_than_a_test_row']:.0f} %"
    why = f"{share} of the training rows are later than the test row of another user."
    return Answer(question, FAIL, why)


def left_out(of: Evidence) -> Answer:
    question = "Are few users left out of the figures?"
    facts = of.split_facts
    dropped = facts["users_for_training_only"] + facts["cold_test_users_dropped"]
    everybody = facts["test_users"] + dropped
    rows = of.summary.dropna(subset="undefined")
    known = rows[rows["metric"].map(lambda name: METRICS.of(of.config["metrics"][name]).facts.needs == "ranks")]
    undefined = int(known["undefined"].max()) if len(known) else 0
    policy = of.config["undefined_users"]
    counted = "count as 0" if policy == "zero" else "are left out"
    out = dropped + (undefined if policy == "drop" else 0)
    why = f"{dropped:,} of {everybody:,} users have no test row; up to {undefined:,} no relevant one, and {counted}."
    return Answer(question, PASS if out <= MOST_LEFT_OUT * everybody else FAIL, why)


def chosen(of: Evidence) -> Answer:
    question = "Was the metric chosen before the results were seen?"
    named = of.config.get("headline")
    if named:
        return Answer(question, PASS, f"The config names {named['metric']}@{named['k']}.")
    why = (
        "The rule that chooses it was fixed before, but the choice was made on these users: state it. It favours "
        "differences a little: two equal models differ by p < .05 in about one of ten studies, not one of twenty. "
        "`headline` in the config names a metric beforehand."
    )
    return Answer(question, STATE, why)


def groups(of: Evidence) -> Answer:
    question = "Does the leader lead in every group of users and items?"
    if of.groups is None or of.groups.empty:
        return Answer(question, UNKNOWN, "No groups were measured.")
    wide = of.groups.pivot(index=["by", "group"], columns="model", values="value")
    higher = METRICS.of(of.config["metrics"][of.groups["metric"].iloc[0]]).facts.higher_is_better
    first = wide.idxmax(axis=1) if higher else wide.idxmin(axis=1)
    names = f"{of.groups['metric'].iloc[0]}@{of.groups['k'].iloc[0]}"
    if first.nunique() == 1:
        return Answer(question, PASS, f"{first.iloc[0]} leads by {names} in all {len(first)} groups.")
    return Answer(question, FAIL, f"By {names}, {first.nunique()} models lead in some of {len(first)} groups.")


def data(of: Evidence) -> Answer:
    question = "Can the same data and the same numbers be reproduced?"
    checksum = of.facts.get("checksum")
    if not checksum:
        return Answer(question, UNKNOWN, "The data has no checksum.")
    why = f"Seed {of.config['seed']}, data with SHA-256 {checksum[:12]}..; the page has the config and versions."
    return Answer(question, PASS, why)


def as_markdown(dataset: str, answers: Iterable[Answer]) -> Iterator[str]:
    """Yield the lines of a page."""
    yield f"# Checklist: {escaped(dataset)}"
    yield ""
    yield "| question | answer | why |"
    yield "|---|---|---|"
    for answer in answers:
        yield "| " + " | ".join(map(escaped, answer)) + " |"


def escaped(text: str) -> str:
    """Return text as a cell of Markdown has it, without HTML or signs that would end the cell."""
    for sign, instead in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "\\|"), ("\n", " ")):
        text = text.replace(sign, instead)
    return text
