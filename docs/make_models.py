"""Write docs/models.md from what every model says of itself: ``.venv/bin/python docs/make_models.py``.

``.venv/bin/python docs/make_models.py RESULTS DATASET SPLIT [RESULTS DATASET SPLIT ..]`` also puts the figures of
studies into the page: of all models that were run on a split, from ``RESULTS/metrics``, ``benchmarks`` and ``logs``.
"""

import inspect
import json
import re
import sys
from functools import cache
from pathlib import Path

import pandas as pd
import yaml
from truerank.artefacts.cost import cost_of
from truerank.config.merging import merged as with_defaults
from truerank.registry import MODELS
from truerank.report.published import merged

PAGE = Path(__file__).with_name("models.md")
STUDIES = PAGE.parents[1] / "workflow" / "studies"
HEAD = """\
# Models

Written by `docs/make_models.py` from the docstrings of `workflow/truerank/models/`; a test keeps it current.

A study defines models by a `kind` of this page and its settings, and selects them by name:

```yaml
models:
  ials_64: {kind: ials, factors: 64, calibration: isotonic}
```

**Time and memory** are orders of growth, without constants; interactions are the training rows. If memory grows faster
than the data, the model logs how much it needs before it starts, and a job that would not fit ends with one sentence.
**Uses** says what a model learns from: a model that does not use ratings treats every training row as positive. For one
seed, training gives the same bytes on any number of cores. Compiled code is cached next to the source, or in
`$NUMBA_CACHE_DIR` if that is set.

## Tuning

Truerank can tune settings, per dataset and split. A definition says which values to try, as a range or a list:

```yaml
models:
  ials: {kind: ials, tune: {factors: {low: 8, high: 128, log: true}, regularisation: [1, 10, 100]}}
tuning:
  trials: 20        # number of settings to try
  metric: ndcg      # any metric, or variant, of ranks or of predictions; the best mean over users is chosen
  k: 10
  validation: 0.2   # a share of each user's training rows, at random, or the name of a split of the config
```

`log: true` draws evenly on a logarithmic scale; a setting that is a whole number stays one. Settings that are not in
`tune` are those of the definition. The validation rows come from the training part and are the same for all models of a
split; the test part is never read. The model is then trained on the whole training part with the best settings. By
default nothing is tuned.

The sampler is Optuna's tree-structured Parzen estimator with the study's seed: ten random trials, then trials guided by
the earlier results, one after the other. Settings with which a model cannot be trained have no value and are never
chosen. A search that was killed resumes with its finished trials and gives the same bytes; other data, settings, seed
or code start a new one. `results/tuning/{dataset}/{split}/{model}.json` has the chosen settings and their value,
`{model}.parquet` all trials; the report shows both.

The value of the chosen settings is the best of many on the same rows, so it is too optimistic to report as a result.

## Calibration

`calibration: linear` or `calibration: isotonic` turns scores into ratings, for metrics that need predictions, by a
non-decreasing curve, which changes no ranking. A model whose scores are ratings already needs none. Without either, a
model has no predictions, and those metrics have no value for it.

The curve is fitted on the scores of training pairs, whose ratings the model may have learnt from. Most models score
pairs that they were trained on higher than new ones. Then a new pair falls on the lower end of the curve, and
predictions for unseen items are too low: errors of a calibrated model are an upper bound for what its ranking could
predict, and models that memorise are affected most. Compare calibrated models with each other, not with models that
predict ratings directly. With `linear_held_out` or `isotonic_held_out` a tenth of each dataset's training rows, at
random, is left out of training and the curve is fitted on it: predictions of new pairs are then right on average, but
the model learns from fewer rows.

## How good they are

The tables are of the study `workflow/studies/models.yaml`, which says how to run it and how to put its figures here.

The first table below is of MovieLens 1M, each user's last film held out, in the split that He et al. 2017 published.
All personalised models have a higher recall than popularity except two, whose sections say why: `hitting_time`,
which favours rare items, and `triplet`. Among 99 sampled films instead of all, recall@10 is .72 for `ials_tuned`, .71
for `neumf`, `slim` and `multivae`, .69 for `bpr` and .45 for `popularity` (means of ten draws); He et al. print .73 for
NeuMF, .70 for ALS and .69 for BPR. `item_cf_y` has more hits than `bpr` among all films (.088 and .079), but fewer
among sampled ones (.57): sampling changes the order. Some settings were chosen by a few trials on these test items, so
do not quote the table as a comparison of methods.

The second table is of MovieLens 100K with its ratings, a fifth held out, those of 4 and 5 relevant. Models that order
films by a predicted rating (`svd`, `mf`, `ncf`, `lc_nn`, `triplet`), or by a sum that begins with one
(`nncosngbr_user`, `nncosngbr_item`), have a recall@10 below that of popularity: a rating shows how much a user liked
a film, not whether the user would choose it. The rows of `triplet` (`bpr_triplet`, `bpr_triplet_plain`, `ncf_triplet`,
`lc_nn_triplet`) are with `triplets: 10000`; by default an epoch has all triplets.

All 21 systems of Valcarce et al. 2018 on their own split of MovieLens 1M, `workflow/studies/valcarce2018.yaml`: 164 of
the 210 means that they publish are reproduced; [papers.md](papers.md) has them by column, and each model's section says
how many are its own. [papers.md](papers.md#results) has the time.
"""
START, END = "<!-- measured: begin -->", "<!-- measured: end -->"
COLUMNS = {
    "recall@10": ("recall", "{:.4f}"),
    "ndcg@10": ("ndcg", "{:.4f}"),
    "binary ndcg@10": ("ndcg_binary", "{:.4f}"),
}
JOBS = {"train_model": "training", "rank_items": "ranking"}


def page(measured=None):
    """Return the page; the part with measured figures stays as it is on the page, unless ``measured`` is given."""
    models = [section(entry) for entry in MODELS]
    figures = measured_part() if measured is None else f"{START}\n{measured}{END}\n"
    return "\n".join([HEAD, f"## All models\n\n{overview()}", figures, *models])


def overview():
    rows = [
        f"| [`{entry.name}`](#{entry.name}) | {markdown(entry.sentence)} | {uses(entry)} | {predicts(entry)} |\n"
        for entry in MODELS
    ]
    return "| name | what it is | uses | scores are ratings |\n|---|---|---|---|\n" + "".join(rows)


def section(entry):
    """Return a model's docstring, settings and facts."""
    text = "\n\n".join(map(paragraph, inspect.getdoc(entry.make).split("\n\n")))
    facts = f"Uses {uses(entry)}. Time: {entry.facts.time}. Memory: {entry.facts.memory}. "
    facts += "Scores are predicted ratings." if entry.facts.predicts_ratings else "Scores only order items."
    published = " ".join(reproduced(entry.name)) or "No published figure is compared with it."
    return f"### {entry.name}\n\n{text}\n\n{settings(entry)}\n\n{markdown(facts)}\n\n{published}\n"


def reproduced(kind):
    """Return a sentence for each model of a ready study that is of this kind and stands in a paper's tables."""
    return compared().get(kind, [])


@cache
def compared():
    """Return the sentences of all kinds, from the files of published figures and their studies."""
    found = {}
    for path in sorted((STUDIES / "published").glob("*.yaml")):
        content, study = (yaml.safe_load(file.read_bytes()) for file in (path, STUDIES / path.name))
        models = with_defaults(study)[0]["models"]
        judged = {}
        for table in content.get("tables", ()):
            for name, row in table["rows"].items():
                figures = [figure(table, head, row, place) for place, head in enumerate(table["columns"])]
                for model in {each["model"] for each in figures if each["printed"]}:
                    own = [each for each in figures if each["model"] == model]
                    judged.setdefault(model, []).append((name, row, table, own))
        paper = re.match(r".*?\d{4}", content["cite"])[0]
        for model, rows in judged.items():
            kind = models.get(model, {"kind": model})["kind"]
            found.setdefault(kind, []).append(sentence(path.stem, paper, model, rows))
    return found


def figure(table, head, row, place):
    """Return of one cell the model that it is of, whether the paper printed it, and whether ours may differ."""
    model = merged(table, table["columns"][head], row)["where"].get("model")
    printed = model is not None and row["printed"][place] is not None
    return {"model": model, "printed": printed, "apart": head in [*row.get("known", ()), *row.get("apart", ())]}


def sentence(study, paper, model, rows):
    """Say how many of a paper's figures of a model are reproduced; those on other data are not judged."""
    said = f"`{model}` of the study `{study}`"
    if any("tried" in row for _, row, _, _ in rows):
        return f"{said}: {rows[0][0]} of {paper} is not reproduced."
    judged = [each for _, _, table, own in rows if "unlike" not in table for each in own if each["printed"]]
    if not judged:
        return f"{said} is shown next to figures of {paper} from other data."
    agree = sum(not each["apart"] for each in judged)
    limits = {
        row.get("tolerance", 0) + 0.5 * 10 ** -table["digits"]
        if "spreads" not in table and not isinstance(row.get("tolerance"), list)
        else None
        for _, row, table, _ in rows
        if "unlike" not in table
    }
    (limit,) = limits if len(limits) == 1 else (None,)
    within = f"{limit:g}" if limit else "the tolerances of its page"
    least = "" if agree == len(judged) else "at least "
    return f"{said} reproduces {least}{agree} of {len(judged)} figures of {paper}, within {within}."


def paragraph(text):
    """Turn a paragraph of a docstring into Markdown, a formula into a block of its own."""
    if text.startswith(".. math::"):
        formula = re.sub(r"\s+", " ", text.removeprefix(".. math::")).strip()
        return f"```math\n{formula}\n```"
    return markdown(" ".join(text.split()))


def markdown(text):
    """Turn the docstring's marks into Markdown's, and what Markdown would take for HTML into text."""
    text = re.sub(r":math:`([^`]*)`", r"$\1$", text)
    return text.replace("``", "`").replace("<", "&lt;")


def settings(entry):
    limits = {
        name: f" (only with `{other}` {' or '.join(f'`{value}`' for value in values)})"
        for name, (other, values) in entry.facts.only_with.items()
    }
    shown = [f"`{name}: {default(value)}`{limits.get(name, '')}" for name, value in entry.settings.items()]
    return f"Settings: {', '.join(shown)}." if shown else "No settings."


def default(parameter):
    return "(required)" if parameter.default is parameter.empty else json.dumps(parameter.default)


def uses(entry):
    notes = [
        f"{what} with `{name}: {json.dumps(value)}`"
        for what, (name, values) in entry.facts.uses_with.items()
        for value in values
    ]
    return ", ".join([*entry.facts.uses, *notes]) or "nothing"


def predicts(entry):
    return "yes" if entry.facts.predicts_ratings else "no"


def measured_part():
    """Return what stands between the marks on the page, with the marks."""
    text = PAGE.read_text(encoding="utf-8")
    return text[text.index(START) : text.index(END) + len(END)] + "\n"


def measure(results, dataset, split):
    """Return a Markdown table of the models of a study on one split: accuracy, and what training and ranking took."""
    summary = pd.read_parquet(results / "metrics" / dataset / split / "summary.parquet")
    summary = summary[summary["k"] == "10"].pivot_table(index="model", columns="metric", values="value")
    shown = {name: how for name, how in COLUMNS.items() if how[0] in summary}
    sort_by = next(iter(shown.values()))[0]
    heads = ["model", *shown, *(f"{label}, {unit}" for label in JOBS.values() for unit in ("s", "MB"))]
    lines = [f"| {' | '.join(heads)} |", f"|---{'|---:' * (len(heads) - 1)}|"]
    for model, row in summary.sort_values(sort_by, ascending=False).iterrows():
        cells = [f"`{model}`", *(how.format(row[name]) for name, how in shown.values())]
        for job in JOBS:
            seconds, memory = cost_of(results, f"{job}/{dataset}/{split}/{model}")
            cells += [f"{seconds:.1f}", f"{memory:.0f}" if memory else ""]
        lines.append(f"| {' | '.join(cells)} |")
    title = (
        f"Measured on `{dataset}`, split `{split}`. Times are of the complete job on one core, while\n"
        "other jobs ran. Memory is the peak of the job."
    )
    return f"{title}\n\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    words = iter(sys.argv[1:])
    measured = "\n".join(measure(Path(results), *where) for results, *where in zip(words, words, words, strict=True))
    PAGE.write_text(page(measured or None), encoding="utf-8")
