"""Write docs/metrics.md from what every metric says of itself: ``.venv/bin/python docs/make_metrics.py``."""

import inspect
import json
import re
from pathlib import Path

from truerank.metrics._core.bounds import Bound
from truerank.registry import METRICS

PAGE = Path(__file__).with_name("metrics.md")
HEAD = r"""# Metrics

Written by `docs/make_metrics.py` from the docstrings of `workflow/truerank/metrics/`; a test keeps it current.

**Notation.** The candidates of a user are all items that are not in the user's training rows, unless
[`candidates`](workflow.md#candidates) says otherwise. C is the number of candidates, N the number of items, M the
number of users. r is the rank of a test item among the candidates, from 1; y is its rating, y-hat its predicted
rating. R is the number of relevant test items of the user, [...] is 1 if true and 0 if not, k is the cut-off. `all`
means no cut-off; for metrics of lists it is the length of the lists: 100, or the deepest cut-off if that is larger.

**Undefined values.** A metric is computed per user first and averaged last. A user without a defined value counts as
0, or is left out with `undefined_users: drop`. If lower is better, 0 would be the best value, so such users are
always left out. `summary.parquet` has their number. Metrics of a whole system have no per-user values and no
interval.

**Gains.** Gains are never negative. If the rating scale has negative values (Jester: -10 to 10), the `linear` and
`exponential` gains of `ndcg`, `ndcg_full` and `dcg` use the rating minus the lowest value of the scale. The scale is
that of the dataset, or its `scale` setting, so the shift is the same for every user, model and subset. Scales that
start at 0 or above are not shifted. `half_life` uses the part of a rating above d, which a shift does not change; if
`neutral` is given, it refers to the original scale.

**Intervals.** The 95 % interval of a mean describes users like these, and lies within the metric's range:

```math
\bar x + \frac{t^2}{2n}\kappa + \sqrt{\Big(\frac{t^2}{2n}\kappa\Big)^2 + \frac{t^2}{n} s^2},
\quad \kappa = \max\Big(0, \frac{\sum_i d_i^3 + g^3 / 4}{\sum_i d_i^2 + g^2 / 4}\Big)
```

This is the upper end; the lower end is its mirror image. n is the number of users, d are their deviations from the
mean, s is their standard deviation, t is Student's quantile. With kappa = 0 this is the t interval; it is never
narrower, and with many users and little skew hardly wider. Skew moves the end on its side outwards, as in Wilson's
interval of a proportion. g is the distance of one additional, hypothetical user with weight 1/4, at the end of the
range, but at most 1 + 20/e times as far from the mean as the farthest user. Here e, the squared sum of d^2 divided by
the sum of d^4, is the effective number of users behind the spread: if it is small, the sample may lack other users
like them. (If undefined users count as 0, a user with value 0 always counts as observed.) So a metric that is 0 for
all of 50 users has an upper end of 0.08 times its largest value, not 0. Errors of predictions have no largest value:
their interval uses skew only, and is empty if all users have the same value. With one user there is no interval.
[intervals.md](intervals.md) has the coverage and the width of these intervals.

**Errors over all ratings.** `mae_micro`, `rmse_micro` and their normalised forms are what most papers call MAE and
RMSE: one mean over the test ratings of all users, a ratio of two sums. `mae` and `rmse` are means of per-user values,
so every user has the same weight; they may order the models differently. Pages show the former as MAE and RMSE, the
latter as MAE and RMSE (mean of users); files keep the names of the config. For a ratio, `per_user.parquet` has each
user's contribution

```math
x_u = \theta + \frac{S_u - \theta N_u}{\bar N}, \quad \theta = \frac{\sum_u S_u}{\sum_u N_u}
```

S is the user's sum of errors, N the number of ratings, with a bar its mean over users; for RMSE, x is the root of
theta plus the deviation divided by twice that root. The mean of x over users is the value of the metric, and the
spread of x is that of the ratio, so intervals of values and of differences account for other users with other numbers
of ratings. x itself may be negative. Tests exchange the sums S of two models user by user and keep N; robustness and
resampling compute the ratio again from the remaining sums. In a simulation with numbers of ratings as in MovieLens
the intervals cover the true value in 95 % of samples of 100 users (91 % with 30 users). If a few users have most of
the ratings (a Pareto distribution of index 1.2), no sample shows how the next such user behaves: the coverage is 68
to 81 %, but the tests keep their level.

[worked-examples.md](worked-examples.md) has the worked examples of slides and papers, number by number.

**Relevance.** `relevance: {threshold: 4}`: a test item rated 4 or more is relevant, one rated less is judged and not
relevant, one that is not in the test set is unjudged. Without ratings every test item is relevant. Instead of a
number, `user_mean` means above the mean of all that the user rated, in training and test; `low_high`, `medium_high`
and `high` mean at least 0, 50 and 75 % of the rating scale (1, 3 and 4 on a scale from 1 to 5). With `binary: true`
ratings are then replaced by 1 for relevant and 0 for other items, and predictions too: the implicit version of
explicit data. A study has one rule; a part of it may have another (`select.sampling.relevance`, which must be a
number if samplers are selected), and so may a variant of a metric:

```yaml
metrics:
  precision_own_mean: {kind: precision, relevance: {threshold: user_mean}}
  sdcse_high:         {kind: sdcse, relevant_only: true, relevance: {threshold: high}}
  rbp_95:             {kind: rbp, p: 0.95}
```

**Predictions.** Errors, correlations, SDCSE and migration compare ratings with predictions. A model has predictions
if it predicts ratings, or if its definition has `calibration: linear` or `calibration: isotonic`: a non-decreasing
curve from scores to ratings, fitted on the training pairs (a seeded sample of users with about a million pairs, if
there are more) and saved with the model. A model has seen its training pairs, so it scores other items lower;
`linear_held_out` and `isotonic_held_out` leave a tenth of the rows out of training and fit the curve on these. The
page names the models whose predictions are not better than a constant. Predictions stay within the lowest and highest
training rating. If all training ratings are equal, there is no curve. A model without predictions has no value for
these metrics (not 0); the report says so.
"""
FOOT = """## What offline data cannot measure

Slides and surveys name more qualities than the metrics above measure. This is what held-out ratings can say about
them:

- **Satisfaction and online tests.** Held-out ratings are of items that users chose themselves. Whether a user would
  click, buy or stay after seeing this list needs a test with live users. Offline numbers show which systems deserve
  one.
- **Confidence.** Ranks do not show how certain a system is of one prediction. Intervals and p-values show how certain
  a mean or a difference is.
- **Robustness.** It is measured against missing and unpopular judgements ([meta.md](meta.md#robustness)), not
  against fake profiles, which would need a model of the attack and training on its data.
- **Adaptivity.** A split by time (`time_cut`) shows how a system performs on later data. How fast it follows a user
  whose taste changes needs repeated training.
- **Scalability.** Time and memory of every job are in the benchmarks and on the page ([scale.md](scale.md)); response
  times of a service under load are not.
- **Trust.** Only a survey can show whether users believe a recommendation. Migration and SDCSE measure one related
  thing: how often a displayed rating would have been wrong, and where in the list.
- **Risk.** Ratings do not contain the cost of a bad recommendation (a film, a loan). The spread over users and the
  share of down-sold items show how bad the bad cases are, in ratings.
- **Privacy.** What a system reveals about its training users depends on the model and on the attacker; no metric of
  its lists measures it.
"""
GROUPS = {
    "ranks": "Ranking accuracy, from the ranks of test items",
    "predictions": "Error and agreement, from predicted ratings",
    "lists": "Diversity, novelty and coverage, from top lists",
    "values": "Combinations of other metrics",
}


def page():
    """Return the page: per group an overview, then every metric in full."""
    parts = [HEAD]
    for needs, title in GROUPS.items():
        entries = [entry for entry in METRICS if entry.facts.needs == needs]
        parts.append(f"## {title}\n\n{overview(entries)}")
        parts += [section(entry) for entry in entries]
    return "\n".join([*parts, FOOT])


def overview(entries):
    rows = [
        f"| [`{entry.name}`](#{entry.name}) | {markdown(entry.sentence)} | {limits(entry)} | {direction(entry)} "
        f"| {entry.facts.per} | {'k' if entry.has_cutoff else 'no'} |\n"
        for entry in entries
    ]
    return "| name | what it is | range | better | per | cut-off |\n|---|---|---|---|---|---|\n" + "".join(rows)


def section(entry):
    """Return a metric's sentence, formula, settings and the rest of its docstring."""
    sentence, math, *rest = inspect.getdoc(entry.make).split("\n\n")
    formula = re.sub(r"\s+", " ", math.removeprefix(".. math::")).strip()
    facts = f"Range {limits(entry)}, {direction(entry)} is better, per {entry.facts.per}."
    if entry.settings:
        facts += (
            " Settings: " + ", ".join(f"`{name}: {json.dumps(p.default)}`" for name, p in entry.settings.items()) + "."
        )
    text = "\n\n".join(markdown(" ".join(paragraph.split())) for paragraph in [sentence, *rest])
    return f"### {entry.name}\n\n```math\n{formula}\n```\n\n{text}\n\n{facts}\n"


def markdown(text):
    """Turn the docstring's marks into Markdown's, and what Markdown would take for HTML into text."""
    text = text.replace("``", "`").replace("<", "&lt;")
    return re.sub(r"^(Elsewhere|Source):", r"*\1:*", text)


def limits(entry):
    low, high = entry.facts.range
    return f"{low} to {high.formula if isinstance(high, Bound) else high}".replace("to inf", "up")


def direction(entry):
    return "higher" if entry.facts.higher_is_better else "lower"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
