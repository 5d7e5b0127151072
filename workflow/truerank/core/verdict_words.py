"""The verdict on metrics in sentences, for the page and for a terminal.

Each function takes ``text`` and ``bold``, which make a sentence and a name in it: plain ones, or HTML that escapes.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Words = Callable[[str], str]

MISSING = {
    "sparsity": "test ratings are missing at random",
    "popularity": "those of the most popular items are missing",
}
FEW_USERS = 30  # for sums over users to be about normal
NO_MODELS = "With one model there is no order and no pair to test, so the metrics were not compared."
ONE_USER = "One user says nothing of other users: the order of metrics here is no evidence, and no metric is preferred."
NO_RANKS = "Robustness was not measured: it needs the ranks of test items, and only per-user values were given."


def sentences(found: Mapping[str, Any] | None, text: Words = str, bold: Words = str) -> Iterator[str]:
    """Yield what the verdict says of the metrics: the set, its name, how sure that is, and robustness."""
    if found is None:
        yield NO_MODELS
        return
    yield on_set(found, text, bold)
    if found["case"] == "same" or found["users"] == 1:
        return
    if found["users"] < FEW_USERS:
        yield f"With {found['users']} users, the best set and the intervals are approximate: both need many users."
    yield from on_separation(found, text, bold)
    if found["whole"] and found["whole"]["of"] > 1:
        whole = found["whole"]
        yield text(
            "Of the {} metrics of whole rankings, {} are not significantly worse than the best; {} is recommended."
        ).format(whole["of"], len(whole["set"]), bold(name(whole)))
    yield from on_robustness(found, text, bold) if found["robust"] else [NO_RANKS]


def on_set(found: Mapping[str, Any], text: Words = str, bold: Words = str) -> str:
    """Say which metrics are not significantly worse than the best, and which is named."""
    inside, of, named = len(found["set"]), found["of"], bold(name(found))
    if found["users"] == 1:
        return ONE_USER
    if found["case"] == "same":
        return "The models give the same lists to all users: no metric can separate them, so none is preferred."
    if of == 1:
        return text("{} is the only metric of its kind, so there is no choice.").format(named)
    if found["case"] == "all":
        return text(
            "Every one of {} metrics separates every pair of models: the choice does not matter here. {} is "
            "recommended by convention."
        ).format(of, named)
    if found["case"] == "none":
        start = text(
            "These {} users do not separate the metrics: none of {} is significantly worse than the best."
        ).format(f"{found['users']:,}", of)
    elif inside == 1:
        return text("Report {}: it separates models better than the other {} metrics, {}.").format(
            named, of - 1, how_stable(found)
        )
    else:
        most = ", more than half of them" if found["case"] == "half" else ""
        start = text("{} of {} metrics are not significantly worse than the best{}.").format(inside, of, most)
    return text("{} {} is recommended by convention; it is in the best set {}.").format(start, named, how_stable(found))


def how_stable(found: Mapping[str, Any]) -> str:
    return f"in {round(100 * found['stability'])} of 100 bootstrap resamples of your users"


def on_separation(found: Mapping[str, Any], text: Words = str, bold: Words = str) -> Iterator[str]:
    """Say what the named metric separates, which pairs are one system, and how many users would tell more."""
    sentence = text("By {}, {} of {} pairs are separated (p < {} after Holm); its p-values sum to {}").format(
        name(found), found["separated"], found["pairs"], f"{found['alpha']:g}", f"{found['dp']:.3g}"
    )
    yield text("{}; for another sample of the same number of users, to between {} and {}.").format(
        sentence, f"{found['dp_low']:.2g}", f"{found['dp_high']:.2g}"
    )
    if found["same_pairs"]:
        pairs = text("; ").join(text("{} and {}").format(*map(bold, pair)) for pair in found["same_pairs"])
        yield text("Left out of that sum, since they give the same lists to all users: {}.").format(pairs)
    if found["case"] != "all" and len(found["set"]) > 5:
        needed = found["users_for_handful"]
        yield (
            f"About {rounded(needed)} users like these would leave a handful of metrics in the set (a rough guide)."
            if needed
            else "Some of these metrics are so much alike that no number of users would separate them."
        )


def on_robustness(found: Mapping[str, Any], text: Words = str, bold: Words = str) -> Iterator[str]:
    """Say, per bias, whether the metrics differ in how well they keep the order of the models."""
    for bias, of in found["robust"].items():
        if of is None:
            yield f"Where {MISSING[bias]}, all models are equal under every metric: there is no order to keep."
            continue
        own = of["named"]
        tau = f"; tau of {name(found)} is {own['tau']:.3f}, standard error {own['tau_se']:.3f}" if own else ""
        if 2 * of["set"] > of["of"]:
            yield text(
                "Where {}, {} of {} metrics are not significantly worse than the one that keeps the order best{}."
            ).format(MISSING[bias], of["set"], of["of"], tau)
        else:
            place = "among them" if of["in_set"] else "not among them"
            yield text(
                "Where {}, {} keeps the order of the models best (tau {}), and {} of {} metrics are not "
                "significantly worse; {} is {}{}."
            ).format(
                *(MISSING[bias], bold(name(of["best"])), f"{of['best']['tau']:.3f}", of["set"], of["of"]),
                *(name(found), place, tau),
            )


def rounded(number: float) -> str:
    """Write a number of users with two digits."""
    return f"{float(f'{number:.2g}'):,.0f}"


def name(metric: Mapping[str, Any]) -> str:
    return f"{metric['metric']}@{metric['k']}"
