"""The answer of each section in one sentence, with the number in it."""

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
from markupsafe import Markup

from truerank.core.verdict_words import on_robustness
from truerank.report.block import Block, Prose, bold
from truerank.report.cost import PER_MODEL, read_benchmarks
from truerank.report.data import dataset_line, percent
from truerank.report.first_screen import main_part
from truerank.report.sampled import artefact, believed, headline_rows, most_reversed, reversal_sentences
from truerank.report.study import ALL, OpenStudy, Part
from truerank.report.verdict import leading_sentence, separated_sentence
from truerank.report.which_order import UNCORRECTED, sampling_part

TOP = 10  # places of a short list


def answer(study: OpenStudy, section: str) -> Block:
    """The answer of a section; nothing where the study lacks what it needs, which the section itself says then."""
    return Prose(*(sentence for sentence in [next(ANSWERS[section](study), None)] if sentence), kind="answer")


def of_part(say: Callable[[Part], Iterator[str]]) -> Callable[[OpenStudy], Iterator[str]]:
    """Make an answer on the main part into one on the study."""

    def on_study(study: OpenStudy) -> Iterator[str]:
        part = main_part(study)
        if part is not None and len(part.models):
            yield from say(part)

    return on_study


def of_sampled(say: Callable[[Part], Iterator[str]]) -> Callable[[OpenStudy], Iterator[str]]:
    """Make an answer on the sampling part into one on the study."""

    def on_study(study: OpenStudy) -> Iterator[str]:
        part = sampling_part(study)
        if part is not None and len(artefact(part, "meta", "accuracy")):
            yield from say(part)

    return on_study


def on_data(study: OpenStudy) -> Iterator[str]:
    counts = study.popularity
    top = counts[: max(1, len(counts) // 10)].sum() / counts.sum()
    yield dataset_line(study) + f" The most popular tenth of the items holds {percent(top)} of the interactions."


def on_ranks(part: Part) -> Iterator[str]:
    shares = {model: float((part.ranks(model)["rank"] <= TOP).mean()) for model in part.models}
    best = max(shares, key=lambda model: shares[model])
    text = "{} puts {} of the relevant test items on its first {} places, the most of {} models; the mean is {}."
    mean = percent(float(np.mean(list(shares.values()))))
    yield Markup(text).format(bold(best), percent(shares[best]), TOP, len(shares), mean)


def on_cutoffs(part: Part) -> Iterator[str]:
    """How many pairs of models change order between the cut-offs of the metric that speaks for all."""
    metric = part.headlines[0][0]
    cutoffs = [k for k in part.metrics[metric] if k != ALL]
    if len(cutoffs) < 2 or len(part.models) < 2:
        return
    rows = part.summary[part.summary["metric"] == metric]
    values = rows.pivot(index="k", columns="model", values="value").loc[cutoffs]
    turned = [
        (a, b)
        for a, b in combinations(part.models, 2)
        if (values[a] > values[b]).any() and (values[a] < values[b]).any()
    ]
    pairs = len(part.models) * (len(part.models) - 1) // 2
    which = Markup(", such as {} and {}").format(*map(bold, turned[0])) if turned else ""
    text = "{} of {} pairs of models change their order between {} and {}{}."
    yield Markup(text).format(len(turned), pairs, f"{metric}@{cutoffs[0]}", f"{metric}@{cutoffs[-1]}", which)


def on_power(part: Part) -> Iterator[str]:
    if len(part.models) > 1:
        yield separated_sentence(part)


def on_missing(study: OpenStudy) -> Iterator[str]:
    found = study.verdict["metrics"]
    if found and found["robust"]:
        yield from on_robustness(found, Markup, bold)


def on_agreement(part: Part) -> Iterator[str]:
    """Which metric of a ranking agrees least with the one that speaks for all."""
    if len(part.models) < 2:
        return
    metric, k = part.headlines[0]
    pairs = part.meta("correlation")
    pairs = pairs[(pairs["metric_a"] == metric) & (pairs["k_a"] == k)]
    others = [(m, at) for m, at in part.one_of_each_kind(part.verdicts) if (m, at) != (metric, k)]
    tau = pairs.set_index(["metric_b", "k_b"])["tau"].reindex(others).dropna()
    if len(tau):
        least, same = tau.idxmin(), int((tau > 1 - 1e-9).sum())
        text = "{} of {} metrics order the models exactly as {} does; {} agrees with it least, tau {}."
        name, far = f"{metric}@{k}", bold(f"{least[0]}@{least[1]}")
        yield Markup(text).format(same, len(tau), name, far, f"{tau.min():.2f}")


def on_predictions(part: Part) -> Iterator[str]:
    if part.name != "ranking":
        return
    table = part.meta("migration")
    widest = table[table["level"] == "low_high"].set_index("model")["accurate"]
    if len(widest):
        text = "Of the items that {} predicts highest, {} are within the margin of what their users say{}."
        most = f", the most of {len(widest)} models" if len(widest) > 1 else ""
        yield Markup(text).format(bold(widest.idxmax()), percent(widest.max()), most)


def on_sampled(part: Part) -> Iterator[str]:
    sampler = most_reversed(part.study.verdict["sampling"]) or artefact(part, "meta", "accuracy")["sampler"].iloc[0]
    for sentence in believed(part, sampler):
        yield sentence + f" (Sampler {sampler}, mean over repeats.)"


def on_order(part: Part) -> Iterator[str]:
    order = artefact(part, "meta", "order").dropna(subset="right")
    if len(order):
        rows, metrics = headline_rows(part, order)
        yield from reversal_sentences(rows.assign(share=100 * rows["right"] / rows["repeats"]), metrics)


def on_correction(part: Part) -> Iterator[str]:
    """The estimator with the least relative error under the first metric, beside no correction at all."""
    metric, k = part.headlines[0]
    rows = artefact(part, "meta", "accuracy")
    rows = rows[(rows["metric"] == metric) & (rows["k"] == k)].dropna(subset="relative_error")
    errors = rows.groupby(["sampler", "estimator"], sort=False)["relative_error"].mean()
    if errors.empty:
        return
    sampler, estimator = errors.idxmin()
    plain = errors.get((sampler, UNCORRECTED))
    beside = f", against {percent(plain)} without correction" if plain is not None and estimator != UNCORRECTED else ""
    text = "{} with sampler {} is closest to the exact {}: its error is {} on average over models{}."
    yield Markup(text).format(bold(estimator), sampler, f"{metric}@{k}", percent(errors.min()), beside)


def on_advice(study: OpenStudy) -> Iterator[str]:
    """How many pieces of advice hold here, and which do not."""
    found = study.verdict.get("advice") or []
    if found:
        holds = [one["holds"] for one in found]
        against = [one["source"] for one in found if one["holds"] is False]
        text = f"{holds.count(True)} of {len(holds)} pieces of advice hold on this data"
        sentence = f"; that of {' and of '.join(dict.fromkeys(against))} does not" if against else ""
        unknown = f"; {holds.count(None)} cannot be checked here" if None in holds else ""
        yield f"{text}{sentence}{unknown}."


def on_cost(study: OpenStudy) -> Iterator[str]:
    jobs = read_benchmarks(study)
    jobs = jobs[jobs["stage"].isin(PER_MODEL)]
    if len(jobs):
        longest = jobs.loc[jobs["seconds"].idxmax()]
        text = "Training and ranking all models took {:,.0f} s of job time; the longest job, {} of {}, took {:,.1f} s."
        yield text.format(jobs["seconds"].sum(), longest["stage"], longest["job"], longest["seconds"])


ANSWERS: dict[str, Callable[[OpenStudy], Iterator[str]]] = {
    "Data and split": on_data,
    "Leaderboard": of_part(lambda part: iter([leading_sentence(part)])),
    "Rank distributions": of_part(on_ranks),
    "Metric against cut-off": of_part(on_cutoffs),
    "Discriminative power": of_part(on_power),
    "Robustness": on_missing,
    "Advice of papers": on_advice,
    "Agreement of metrics": of_part(on_agreement),
    "Predicted ratings": of_part(on_predictions),
    "Sampled metrics": of_sampled(on_sampled),
    "Order under sampling": of_sampled(on_order),
    "Correction": of_sampled(on_correction),
    "Training and cost": on_cost,
}
