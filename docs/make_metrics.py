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

**Signs.** A user's candidates are all items but those of the user's training rows, or as
[`candidates`](workflow.md#candidates) says; C is their number, N that of all
items, M that of all users. r is the rank of a test item among the candidates, from 1; y is its rating, y-hat the
predicted one. R is the user's number of relevant test items, [...] is 1 if true and 0 if not, k is the cut-off. `all`
is no cut-off; for metrics of lists it is the length of the lists: 100, or the deepest cut-off if that is more.

**Undefined.** A metric is computed per user and averaged last. A user for whom it is undefined counts as 0, or is left
out with `undefined_users: drop`; where less is better, 0 would be the best value, so such a user is always left out.
`summary.parquet` tells how many there were. Values of a whole system have no users and no interval.

**Gains.** No gain is below 0. Where the rating scale goes below 0 (Jester: -10 to 10), `linear` and `exponential` gains
of `ndcg`, `ndcg_full` and `dcg` take the rating less the lowest of the scale; the scale is the dataset's, or what its
`scale` setting states, so the shift is the same for every user, model and subset. On scales from 0 or more nothing is
shifted. `half_life` counts what a rating is above d, which no shift changes, unless `neutral` is given: then that is on
the scale as it is.

**Intervals.** The 95 % interval of a mean speaks of users like these, and lies within the metric's range:

```math
\bar x + \frac{t^2}{2n}\kappa + \sqrt{\Big(\frac{t^2}{2n}\kappa\Big)^2 + \frac{t^2}{n} s^2},
\quad \kappa = \max\Big(0, \frac{\sum_i d_i^3 + g^3 / 4}{\sum_i d_i^2 + g^2 / 4}\Big)
```

is its upper end, and the lower one the same downwards. n is the number of users, d are their deviations from the mean,
s their standard deviation, t is Student's quantile. With kappa = 0 this is the t interval; it is never narrower, and
where values are many and not skewed hardly wider. Skew moves the end on its side out, as in Wilson's interval of a
proportion. g is the distance of an imagined user, who counts a quarter: at the end of the range, but at most 1 + 20/e
times as far from the mean as the farthest user. Here e, the squared sum of d^2 over the sum of d^4, is how many users
make the spread: where few do, others like them may be missing. (A user of value 0 always counts as seen where undefined
users count as 0.) So a metric that is 0 for all of 50 users has an upper end of 0.08 times its largest value, not 0.
Errors of predictions have no largest value; they have skew alone, and no interval where all users are equal. One user
has no interval. [intervals.md](intervals.md) has how often these intervals hold the mean, and how wide they are.

**Errors over all ratings.** `mae_micro`, `rmse_micro` and their normalised forms are what most papers call MAE and
RMSE: one mean over the test ratings of all users, a ratio of two sums. `mae` and `rmse` are means of the users' own
values, so that users count alike; models may stand in another order by them. Pages show the former as MAE and RMSE, the
latter as MAE and RMSE (mean of users); files keep the names of the config. For a ratio `per_user.parquet` has each
user's contribution

```math
x_u = \theta + \frac{S_u - \theta N_u}{\bar N}, \quad \theta = \frac{\sum_u S_u}{\sum_u N_u}
```

S is the user's sum of errors, N the number of ratings, with a bar its mean over users; under a root it is the root of
theta plus the deviation over twice that root. The mean of x over users is the value, so the rule of means over users
holds, and the spread of x is that of the ratio: intervals of values and of differences count that other users would
have rated other numbers of items. x itself may be below 0. Tests exchange the sums S of two models user by user, which
leaves N as it is; robustness and resampling form the ratio anew from the sums that are left. In a simulation with
numbers of ratings as in MovieLens the intervals hold the true value in 95 % of samples of 100 users (91 % of 30). Where
a few users have most of the ratings (a Pareto law of index 1.2) no sample of users says what the next such user does:
they hold it in 68 to 81 %; the tests keep their level there.

[worked-examples.md](worked-examples.md) has the examples of slides and papers, figure by figure.

**Relevance.** `relevance: {threshold: 4}`: a test item rated 4 or more is relevant, one rated less is judged and not
relevant, one that is not in the test set is unjudged. Without ratings every test item is relevant. Instead of a number,
`user_mean` means above the mean of all that the user rated, in training and test; `low_high`, `medium_high` and `high`
mean 0, 50 and 75 % up the rating scale or more (1, 3 and 4 on a scale from 1 to 5). With `binary: true` ratings are
then forgotten, 1 for relevant and 0 for others, and predictions likewise: the implicit version of explicit data. A
study has one rule, a part of it may have another (`select.sampling.relevance`, a number where samplers are selected),
and so may a variant of a metric:

```yaml
metrics:
  precision_own_mean: {kind: precision, relevance: {threshold: user_mean}}
  sdcse_high:         {kind: sdcse, relevant_only: true, relevance: {threshold: high}}
  rbp_95:             {kind: rbp, p: 0.95}
```

**Predictions.** Errors, correlations, SDCSE and migration compare ratings with predictions. A model has predictions if
it predicts ratings, or if its definition has `calibration: linear` or `calibration: isotonic`: a curve from scores to
ratings that never falls, fitted on the scores of training pairs against their ratings (of a seeded sample of users who
have about a million pairs, if there are more), and saved with the model. A model knows its training pairs, so its
scores of other items are lower; `linear_held_out` and `isotonic_held_out` leave a tenth of the rows out of training and
fit the curve on these. The page says of which models predictions are no better than one constant. Predictions stay
within the lowest and highest training rating. Where training has no ratings that differ, there is no curve. For a model
without predictions these metrics are absent, not 0; the report says so.
"""
FOOT = """## What this data cannot say

Slides and surveys name more than the metrics above. What held-out ratings can and cannot say of it:

- **Satisfaction and online tests.** Held-out ratings are of items that users chose themselves; whether a user shown
  this list would have clicked, bought or stayed needs a test with live users. Offline figures decide which systems
  are worth one.
- **Confidence.** How sure a system is of one prediction is not in a rank table; how sure *we* are of a mean and of a
  difference is, as intervals and p-values here.
- **Robustness.** Against missing and unpopular judgements it is measured ([robustness.md](robustness.md)); against
  faked profiles it is not, since that needs a model of the attack and training on its data.
- **Adaptivity.** A split by time (`time_cut`) shows how a system does on later data than it saw; how fast it follows
  a user whose taste changes needs retraining along the way.
- **Scalability.** Seconds and memory of every job are in the benchmarks and on the page ([scale.md](scale.md));
  response times of a service under load are not.
- **Trust.** Whether users believe a recommendation is asked, not computed. Migration and SDCSE say one thing that
  bears on it: how often a shown rating would have been wrong, and where in the list.
- **Risk.** What a bad recommendation costs (a film, a loan) is not in ratings; the spread over users and the share of
  down-sold items show how bad the bad cases are, in ratings.
- **Privacy.** What a system reveals of its training users depends on the model and on who asks; no metric of its
  lists measures it.
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
