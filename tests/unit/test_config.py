"""Every mistake in a config is one sentence with the file, the line and the key, before any job starts."""

import copy
import math

import pytest
import yaml
from truerank.config.checks import check_config
from truerank.config.code import modules
from truerank.config.merging import DEFAULT_STUDY, DEFAULTS, SECTIONS, merged, read_defaults, replaced
from truerank.config.study import Study
from truerank.config.validation import expected, line_of, locate
from truerank.errors import UserError
from truerank.registry import MODELS

from tests.support import default_study, for_each


def set_at(config, path, value):
    *parents, last = path
    for key in parents:
        config = config[key]
    config[last] = value


def complaint(config, sources=()):
    with pytest.raises(UserError) as caught:
        check_config(config, sources)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_the_default_study_is_right(study):
    check_config(study)


SELECTED = ("select", "ranking")
SAMPLING = ("select", "sampling")

MISTAKES = {
    "paper that is not there": (("paper",), "valcarse2018", "paper: unknown paper 'valcarse2018', did you mean"),
    "sweep of a metric that needs no predictions": (
        ("robustness", "predictions"),
        ["ndcg"],
        "robustness.predictions: unknown selected metric of predictions 'ndcg'",
    ),
    "sampler that is not defined": (
        (*SAMPLING, "samplers"),
        ["uniform_10"],
        "select.sampling.samplers: unknown sampler 'uniform_10', did you mean 'uniform_100'?",
    ),
    "estimator that is not defined": (
        (*SAMPLING, "estimators"),
        ["mlee"],
        "select.sampling.estimators: unknown estimator 'mlee', did you mean 'mle'?",
    ),
    "samplers of the ranking part": (
        (*SELECTED, "samplers"),
        ["uniform_100"],
        "unknown key in select.ranking 'samplers'",
    ),
    "misspelt kind of sampler": (
        ("samplers", "mine"),
        {"kind": "unifrom"},
        "unknown sampler 'unifrom', did you mean 'uniform'?",
    ),
    "sampler without its size": (("samplers", "mine"), {"kind": "uniform"}, "key 'negatives' is missing"),
    "gamma out of range": (("estimators", "bv_01", "gamma"), 2.0, "estimators.bv_01.gamma is 2.0, expected a number"),
    "prior that nobody fits": (
        ("estimators", "mn_mle", "prior"),
        "cls",
        "estimators.mn_mle.prior: unknown prior 'cls'",
    ),
    "prior for sets of other sizes": (
        ("estimators", "mn_mle", "prior"),
        "adaptive_mle",
        "estimators.mn_mle.prior: unknown prior 'adaptive_mle'",
    ),
    "fit of an estimator without ranks": (
        (*SAMPLING, "fits"),
        ["cls"],
        "select.sampling.fits: unknown fit 'cls'",
    ),
    "fit of an estimator that is not selected": (
        (*SAMPLING, "fits"),
        ["bv_10"],
        "select.sampling.fits: unknown fit 'bv_10', did you mean 'bv_1'?",
    ),
    "estimator that goes with no sampler": (
        (*SAMPLING, "samplers"),
        ["uniform_100"],
        "estimator 'adaptive_mle' works with none of the selected samplers; add one that it works with",
    ),
    "sampler that goes with no estimator": (
        (*SAMPLING, "estimators"),
        ["mle"],
        "sampler 'adaptive_800' works with none of the selected estimators; add one that it works with",
    ),
    "misspelt key at the top": (("sede",), 1, "unknown key in the config 'sede', did you mean 'seed'?"),
    "misspelt part": (("select", "rankng"), {}, "unknown key in select 'rankng', did you mean 'ranking'?"),
    "misspelt key of a part": (
        (*SELECTED, "model"),
        [],
        "unknown key in select.ranking 'model', did you mean 'models'?",
    ),
    "misspelt relevance": (
        ("relevance", "treshold"),
        4,
        "unknown key in relevance 'treshold', did you mean 'threshold'?",
    ),
    "misspelt setting": (
        ("models", "ials", "factor"),
        8,
        "unknown key in models.ials 'factor', did you mean 'factors'?",
    ),
    "setting of a kind without any": (
        ("models", "popularity", "power"),
        8,
        "unknown key in models.popularity 'power'; expected one of: calibration, tune",
    ),
    "no catalogue": (
        ("datasets", "ml-100k"),
        {"source": "ml-100k", "items": 0},
        "datasets.ml-100k.items is 0, expected a whole number of at least 1 and of at most 2147483647 or text",
    ),
    "catalogue that is not there": (
        ("datasets", "yelp"),
        {"source": "yelp", "items": "ids.txt"},
        "datasets.yelp.items is 'ids.txt', which does not exist in",
    ),
    "made-up items in a file": (
        ("datasets", "mine"),
        {"source": "synthetic", "users": 9, "items": "ids.txt", "interactions": 20},
        "datasets.mine.items is 'ids.txt', expected a whole number of at least 1; correct it",
    ),
    "a word that has gone": (
        ("models", "mine"),
        {"kind": "run", "path": "run.txt", "unknown": "drop"},
        "models.mine.unknown is 'drop', which no longer exists; write miss, which keeps an unknown item",
    ),
    "misspelt kind of model": (
        ("models", "mine"),
        {"kind": "easse"},
        "models.mine.kind: unknown model 'easse', did you mean 'ease'?",
    ),
    "misspelt kind of metric": (
        ("metrics", "mine"),
        {"kind": "ndgc"},
        "metrics.mine.kind: unknown metric 'ndgc', did you mean 'ndcg'?",
    ),
    "misspelt source": (
        ("datasets", "mine"),
        {"source": "ml-100"},
        "datasets.mine.source: unknown data source 'ml-100', did you mean 'ml-100k'?",
    ),
    "misspelt kind of split": (
        ("splits", "mine"),
        {"kind": "leave_lst_out"},
        "splits.mine.kind: unknown split 'leave_lst_out', did you mean 'leave_last_out'?",
    ),
    "no kind": (("models", "mine"), {}, "key 'kind' is missing from models.mine; add it"),
    "no source": (("datasets", "mine"), {}, "key 'source' is missing from datasets.mine; add it"),
    "selected dataset": (
        ("select", "datasets"),
        ["ml-100"],
        "select.datasets: unknown dataset 'ml-100', did you mean 'ml-100k'?",
    ),
    "selected model": (
        (*SELECTED, "models"),
        ["ease", "popularty"],
        "select.ranking.models: unknown model 'popularty', did you mean 'popularity'?",
    ),
    "selected metric": (
        (*SELECTED, "metrics"),
        ["ndgc"],
        "select.ranking.metrics: unknown metric 'ndgc', did you mean 'ndcg'?",
    ),
    "selected split": (
        (*SELECTED, "split"),
        "holdaut",
        "select.ranking.split: unknown split 'holdaut', did you mean 'holdout'?",
    ),
    "text for a number": (
        ("models", "ials", "factors"),
        "many",
        "models.ials.factors is 'many', expected a whole number of at least 1; correct it",
    ),
    "too small": (
        ("models", "ials", "factors"),
        0,
        "models.ials.factors is 0, expected a whole number of at least 1; correct it",
    ),
    "a fraction for a count": (
        ("models", "ials", "factors"),
        2.5,
        "models.ials.factors is 2.5, expected a whole number of at least 1; correct it",
    ),
    "a float for a count": (
        ("models", "item_cf_z", "neighbours"),
        10.0,
        "models.item_cf_z.neighbours is 10.0, expected a whole number of at least 1 or null; correct it",
    ),
    "a truth value for a count": (
        ("models", "ials", "factors"),
        True,
        "models.ials.factors is True, expected a whole number of at least 1; correct it",
    ),
    "null for a count": (
        ("models", "ials", "factors"),
        None,
        "models.ials.factors is None, expected a whole number of at least 1; correct it",
    ),
    "zero for a positive number": (
        ("models", "ease", "l2"),
        0,
        "models.ease.l2 is 0, expected a number above 0; correct it",
    ),
    "below zero": (
        ("models", "ials", "regularisation"),
        -1,
        "models.ials.regularisation is -1, expected a number of at least 0; correct it",
    ),
    "a share of 1": (
        ("splits", "holdout", "test"),
        1,
        "splits.holdout.test is 1, expected a number above 0 and below 1; correct it",
    ),
    "unknown gain": (
        ("metrics", "ndcg_binary", "gain"),
        "square",
        "metrics.ndcg_binary.gain is 'square', expected one of linear, binary, exponential, relevant; correct it",
    ),
    "unknown calibration": (
        ("models", "random", "calibration"),
        "cubic",
        "models.random.calibration is 'cubic', expected one of linear, isotonic, linear_held_out, isotonic_held_out; "
        "correct it",
    ),
    "unknown level of relevance": (
        ("relevance", "threshold"),
        "hihg",
        "relevance.threshold is 'hihg', expected a number or one of user_mean, low_high, medium_high, high; correct it",
    ),
    "relevance of a variant": (
        ("metrics", "mine"),
        {"kind": "precision", "relevance": {"threshold": 3, "binry": True}},
        "unknown key in metrics.mine.relevance 'binry', did you mean 'binary'?",
    ),
    "relevance of a variant without a threshold": (
        ("metrics", "mine"),
        {"kind": "precision", "relevance": {"binary": True}},
        "key 'threshold' is missing from metrics.mine.relevance; add it",
    ),
    "base of a discount": (
        ("metrics", "ndcg_jarvelin", "jarvelin_base"),
        1,
        "metrics.ndcg_jarvelin.jarvelin_base is 1, expected a number of at least 2 or null; correct it",
    ),
    "combination of what is not selected": (
        (*SELECTED, "metrics"),
        ["unified", "sibn", "coverage", "precision", "rbp"],
        "select.ranking.metrics: unified is made of 'inter_user', which is not selected; add it",
    ),
    "combination of what does not exist": (
        ("metrics", "unified"),
        {"kind": "unified", "of": ["recal"]},
        "select.ranking.metrics: unknown metric 'recal', did you mean 'recall'?",
    ),
    "combination of what is better when lower": (
        ("metrics", "unified"),
        {"kind": "unified", "of": ["recall", "mae"]},
        "unified is made of 'mae', expected a metric that is better when higher, from 0 up to a bound; choose another",
    ),
    "combination of what goes below 0": (
        ("metrics", "unified"),
        {"kind": "unified", "of": ["pearson"]},
        "unified is made of 'pearson', expected a metric that is better when higher, from 0 up to a bound",
    ),
    "unknown tie policy": (
        ("ties",),
        "lucky",
        "ties is 'lucky', expected one of random, optimistic, pessimistic; correct it",
    ),
    "seed as float": (("seed",), 1.0, "seed is 1.0, expected a whole number of at least 0; correct it"),
    "seed below zero": (("seed",), -1, "seed is -1, expected a whole number of at least 0; correct it"),
    "NaN": (
        ("relevance", "threshold"),
        math.nan,
        "relevance.threshold is nan, expected a finite number; correct it",
    ),
    "infinite": (("models", "ease", "l2"), math.inf, "models.ease.l2 is inf, expected a finite number; correct it"),
    "cut-off 0": (
        (*SELECTED, "cutoffs"),
        [5, 0],
        "select.ranking.cutoffs is 0, expected a whole number of at least 1 or all; correct it",
    ),
    "cut-off as float": (
        (*SELECTED, "cutoffs"),
        [10.0],
        "select.ranking.cutoffs is 10.0, expected a whole number of at least 1 or all; correct it",
    ),
    "cut-off twice": (
        (*SELECTED, "cutoffs"),
        [5, 5],
        "select.ranking.cutoffs has an entry twice, expected different values, at least one; correct the list",
    ),
    "nothing selected": (
        (*SELECTED, "models"),
        [],
        "select.ranking.models is empty, expected different names, at least one; correct the list",
    ),
    "text for a list": (
        ("select", "datasets"),
        "ml-100k",
        "select.datasets is 'ml-100k', expected a list; correct it",
    ),
    "no part": (("select",), {"datasets": ["ml-100k"]}, "select names no part to run; add one of ranking, sampling"),
    "setting to search for that is not there": (
        ("models", "ials", "tune"),
        {"factor": [1, 2]},
        "models.ials.tune.factor: unknown setting 'factor', did you mean 'factors'?",
    ),
    "nothing to search for": (("models", "ials", "tune"), {}, "models.ials.tune names no setting to search for"),
    "one value to search for": (
        ("models", "ials", "tune"),
        {"factors": 8},
        "models.ials.tune.factors is 8, expected a list of values, or a range such as {low: 8, high: 128, log: true}",
    ),
    "range out of range": (
        ("models", "ials", "tune"),
        {"factors": {"low": 0, "high": 8}},
        "models.ials.tune.factors.low is 0, expected a whole number of at least 1; correct it",
    ),
    "range of fractions for a count": (
        ("models", "item_cf_z", "tune"),
        {"neighbours": {"low": 1, "high": 8.5}},
        "models.item_cf_z.tune.neighbours.high is 8.5, expected a whole number of at least 1; correct it",
    ),
    "range upside down": (
        ("models", "ials", "tune"),
        {"factors": {"low": 8, "high": 8}},
        "models.ials.tune.factors has low 8, expected less than high; correct it",
    ),
    "range without an end": (
        ("models", "ials", "tune"),
        {"factors": {"low": 8}},
        "key 'high' is missing from models.ials.tune.factors; add it",
    ),
    "misspelt key of a range": (
        ("models", "ials", "tune"),
        {"factors": {"low": 8, "high": 9, "lg": True}},
        "unknown key in models.ials.tune.factors 'lg', did you mean 'log'?",
    ),
    "logarithm of zero": (
        ("models", "ials", "tune"),
        {"regularisation": {"low": 0, "high": 9, "log": True}},
        "models.ials.tune.regularisation has low 0, expected above 0 for log; correct it",
    ),
    "infinite range": (
        ("models", "ials", "tune"),
        {"regularisation": {"low": 0, "high": math.inf}},
        "models.ials.tune.regularisation.high is inf, expected a finite number; correct it",
    ),
    "choice out of range": (
        ("models", "ials", "tune"),
        {"factors": [8, -1]},
        "models.ials.tune.factors is -1, expected a whole number of at least 1; correct it",
    ),
    "choice twice": (
        ("models", "ials", "tune"),
        {"factors": [8, 8]},
        "models.ials.tune.factors has an entry twice, expected different values, at least one; correct the list",
    ),
    "no choice": (("models", "ials", "tune"), {"factors": []}, "models.ials.tune.factors is empty"),
    "tuning of what has no settings": (
        ("models", "popularity", "tune"),
        {"factors": [8]},
        "models.popularity.tune.factors: unknown setting 'factors'; expected one of: none",
    ),
    "text for spaces": (("models", "ials", "tune"), "factors", "models.ials.tune is 'factors', expected a mapping"),
    "no trials": (("tuning", "trials"), 0, "tuning.trials is 0, expected a whole number of at least 1; correct it"),
    "metric of tuning": (("tuning", "metric"), "ndgc", "tuning.metric: unknown metric 'ndgc', did you mean 'ndcg'?"),
    "metric of lists": (
        ("tuning", "metric"),
        "coverage",
        "tuning.metric is 'coverage', expected a metric of ranks or predictions; choose another",
    ),
    "held-out rows": (
        ("tuning", "validation"),
        "last_on",
        "tuning.validation: unknown split of training rows 'last_on', did you mean 'last_one'?",
    ),
    "rows that are given": (("tuning", "validation"), "given", "unknown split of training rows 'given'"),
    "all rows held out": (
        ("tuning", "validation"),
        1,
        "tuning.validation is 1, expected a number above 0 and below 1 or text; correct it",
    ),
    "missing run": (
        ("models", "theirs"),
        {"kind": "run", "path": "no-such.txt"},
        "models.theirs.path is 'no-such.txt', which does not exist in",
    ),
    "run without a path": (("models", "theirs"), {"kind": "run"}, "key 'path' is missing from models.theirs; add it"),
    "role of a run's column": (
        ("models", "theirs"),
        {"kind": "run", "path": "README.md", "columns": {"user": "u", "item": "i", "points": "s"}},
        "unknown key in models.theirs.columns 'points'; expected one of: item, rank, score, user",
    ),
    "columns of a TREC run": (
        ("models", "theirs"),
        {"kind": "run", "path": "README.md", "format": "trec", "columns": {"user": "u", "item": "i"}},
        "models.theirs.columns has no effect with format trec, only with auto or csv or tsv or semicolon or pipe or "
        "parquet; leave it out",
    ),
    "setting of another similarity": (
        ("models", "item_knn", "alpha"),
        0.7,
        "models.item_knn.alpha has no effect with similarity cosine, only with probability; leave it out",
    ),
    "setting of another similarity, by default": (
        ("models", "near"),
        {"kind": "item_knn", "alpha": 0.7},
        "models.near.alpha has no effect with similarity cosine",
    ),
    "setting of the other similarity": (
        ("models", "item_knn_probability", "shrink"),
        10,
        "models.item_knn_probability.shrink has no effect with similarity probability, only with cosine; leave it out",
    ),
    "layers of a head that has none": (
        ("models", "bpr_triplet", "layers"),
        [32],
        "models.bpr_triplet.layers has no effect with head bpr, only with ncf or lc_nn; leave it out",
    ),
    "search without an effect": (
        ("models", "item_knn", "tune"),
        {"alpha": [0.1, 0.9]},
        "models.item_knn.tune.alpha has no effect with similarity cosine",
    ),
    "missing file": (
        ("datasets", "mine"),
        {"source": "file", "path": "no-such.csv", "columns": {"user": "u", "item": "i"}},
        "datasets.mine.path is 'no-such.csv', which does not exist in",
    ),
}


@pytest.mark.slow
@for_each("case", MISTAKES)
def test_a_mistake_is_one_sentence(study, case):
    study = copy.deepcopy(study)
    path, value, sentence = MISTAKES[case]
    set_at(study, path, value)
    assert sentence in complaint(study)


NAMES = {
    "": "it is empty",
    ".hidden": "it begins with '.'",
    "..": "it begins with '.'",
    "a/b": "it has the character '/'",
    "{x}": "it has the character '{'",
    "a\nb": r"it has the character '\n'",
    "a\n": r"it has the character '\n'",
    "a\x00": r"it has the character '\x00'",
    "a" * 51: "it has 51 characters, expected 50 at most",
    5: "it is a whole number, expected text, that is a name in quotes",
    None: "it is null, expected text, that is a name in quotes",
}


@pytest.mark.slow
@for_each("name", NAMES)
@for_each("section", ["datasets", "models", "splits", "metrics", "samplers", "estimators"])
def test_a_name_that_cannot_be_a_file_name_is_refused_for_its_own_flaw(study, section, name):
    study = copy.deepcopy(study)
    study[section][name] = {"source": "ml-100k"} if section == "datasets" else {"kind": "ease"}
    assert f"{name!r} cannot name a file: {NAMES[name]}; choose another" in complaint(study)


def test_no_dataset_is_called_as_the_page_of_all(study):
    study["datasets"]["index"] = {"source": "ml-100k"}
    assert "'index' cannot name a file: a page of the report has that name; choose another" in complaint(study)


@pytest.mark.parametrize("name", ["a", "a.b", "ndcg@10", "Größe 5 %", "a" * 50])
def test_an_unusual_name_is_admitted(study, name):
    study["models"][name] = {"kind": "ease"}
    study["select"]["ranking"]["models"] = [name]
    check_config(study)


def test_a_file_of_items_is_an_input_of_the_dataset(study, tmp_path):
    (tmp_path / "ids.txt").write_text("1\n")
    study["datasets"]["yelp"] = {"source": "yelp", "items": str(tmp_path / "ids.txt")}
    check_config(study)
    assert Study(study).source_files("yelp") == [str(tmp_path / "ids.txt")]
    study["datasets"]["yelp"]["items"] = 5
    assert Study(study).source_files("yelp") == []


def test_a_folder_is_no_file_of_interactions(study, tmp_path):
    definition = {"source": "file", "path": str(tmp_path), "columns": {"user": "u", "item": "i"}}
    study["datasets"]["mine"] = definition
    assert "which is a folder without a Parquet file, expected a file" in complaint(study)


def test_a_folder_of_parquet_files_stands_for_all_of_them(study, tmp_path):
    files = [tmp_path / name for name in ("b.parquet", "more/a.pq")]
    for file in (*files, tmp_path / "_metadata.parquet", tmp_path / "c.csv"):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"")
    study["datasets"]["mine"] = {"source": "file", "path": str(tmp_path), "columns": {"user": "u", "item": "i"}}
    check_config(study)
    assert Study(study).source_files("mine") == [str(file) for file in files]


@for_each(
    "key",
    [
        "seed",
        "datasets",
        "splits",
        "models",
        "select",
        "ties",
        "undefined_users",
        "relevance",
        "candidates",
        "significance",
        "robustness",
        "migration",
        "tuning",
    ],
)
def test_every_top_key_is_required(study, key):
    study = copy.deepcopy(study)
    del study[key]
    assert complaint(study) == f"config: key {key!r} is missing from the config; add it"


@pytest.mark.parametrize("rule", ["unseen", "all", "tested"])
def test_candidates_of_a_study_and_of_a_part(study, rule):
    study["candidates"] = rule
    check_config(study)
    study["select"]["sampling"]["candidates"] = "all"
    check_config(study)
    found = Study(study)
    assert (found.candidates("holdout"), found.candidates("last_one")) == (rule, "all")
    assert found.evaluation("last_one")["candidates"] == "all"


def test_two_parts_on_one_split_have_the_same_candidates(study):
    study["select"]["sampling"] |= {"split": "holdout", "relevance": study["relevance"], "candidates": "tested"}
    told = "select.sampling.candidates differs from the other part's on the same split; use two splits, or one rule"
    assert complaint(study) == f"config: {told}"
    study["select"]["ranking"]["candidates"] = "tested"
    check_config(study)


def test_unknown_candidates(study):
    study["select"]["ranking"]["candidates"] = "seen"
    assert complaint(study) == (
        "config: select.ranking.candidates is 'seen', expected one of unseen, all, tested; correct it"
    )


@pytest.mark.parametrize("threshold", [4, 3.5, "user_mean", "low_high", "medium_high", "high"])
def test_forms_of_relevance(study, threshold):
    study["relevance"] = {"threshold": threshold}
    study["select"]["ranking"]["relevance"] = {"threshold": threshold, "binary": True}
    study["metrics"]["ndcg_exponential"]["relevance"] = {"threshold": threshold, "binary": False}
    study["select"]["sampling"]["relevance"] = {"threshold": 1}
    check_config(study)


def test_a_threshold_beyond_a_known_scale_is_a_mistake(study, tmp_path):
    study["relevance"]["threshold"] = 5
    check_config(study)
    study["relevance"]["threshold"] = 5.5
    assert "relevance.threshold is 5.5, and the ratings of 'ml-100k' are on a scale from 1 to 5" in complaint(study)
    study["relevance"]["threshold"] = 4
    study["select"]["ranking"]["relevance"] = {"threshold": 6}
    assert "select.ranking.relevance.threshold is 6" in complaint(study)
    study["select"]["ranking"]["relevance"] = {"threshold": "high"}
    check_config(study)
    (tmp_path / "own.csv").write_text("user,item,rating\n")
    columns = {name: name for name in ("user", "item", "rating")}
    study["datasets"]["own"] = {
        "source": "file",
        "path": str(tmp_path / "own.csv"),
        "columns": columns,
        "scale": [0, 1],
    }
    study["select"]["datasets"].append("own")
    del study["select"]["ranking"]["relevance"]
    assert "relevance.threshold is 4, and the ratings of 'own' are on a scale from 0 to 1" in complaint(study)
    study["datasets"]["own"]["implicit_threshold"] = 1
    check_config(study)
    del study["datasets"]["own"]["implicit_threshold"], columns["rating"]
    check_config(study)


def test_what_is_sampled_is_relevant_by_one_number(study):
    study["select"]["sampling"]["relevance"] = {"threshold": "user_mean"}
    told = complaint(study)
    assert told.startswith("config: select.sampling.relevance.threshold is 'user_mean', expected a number")
    del study["select"]["sampling"]["relevance"]
    study["relevance"] = {"threshold": "high"}
    assert complaint(study).startswith("config: relevance.threshold is 'high', expected a number")


@pytest.mark.parametrize("metric", ["mae", "coverage", "precision_own_mean"])
def test_what_is_no_function_of_the_rank_cannot_be_sampled(study, metric):
    study["select"]["sampling"]["metrics"] = ["recall", metric]
    assert f"select.sampling.metrics: {metric!r}" in complaint(study)


def test_a_part_without_samplers_may_have_any_metric(study):
    for key in ("samplers", "estimators"):
        del study["select"]["sampling"][key]
    study["select"]["sampling"] |= {"metrics": ["recall", "mae"], "relevance": {"threshold": "user_mean"}}
    check_config(study)


@pytest.mark.slow
@for_each("kind", MODELS.names)
def test_every_model_may_have_a_calibration(study, kind):
    study = copy.deepcopy(study)
    files = dict.fromkeys(MODELS[kind].facts.inputs, __file__)
    for calibration in ("linear", "isotonic"):
        study["models"]["mine"] = {"kind": kind, "calibration": calibration, **files}
        check_config(study)


def test_forms_of_tuning(study):
    study["models"]["item_cf_z"]["tune"] = {"neighbours": [None, 5, 10], "power": {"low": 1, "high": 5}}
    study["models"]["ials"]["tune"] = {"factors": {"low": 8, "high": 128, "log": True}, "unobserved": [0.1, 1]}
    for metric, validation in (("ndcg_binary", 0.5), ("auc", "last_one"), ("rmse", "time_cut")):
        study["tuning"] = {"trials": 5, "metric": metric, "k": "all", "validation": validation}
        check_config(study)


def test_tuning_by_predictions_needs_predictions(study):
    study["tuning"]["metric"] = "rmse"
    study["models"]["mine"] = {"kind": "ease", "tune": {"l2": [1, 2]}}
    assert "tuning.metric is 'rmse', but model 'mine' predicts no ratings; add a calibration" in complaint(study)


def test_how_settings_are_searched_for(study):
    study["models"]["ials"]["tune"] = {"factors": [8, 16]}
    selected = Study(study)
    tuned = selected.jobs(["model"], within="tuned", dataset="ml-100k", split="holdout")
    assert [job["model"] for job in tuned] == ["ials"]
    assert selected.tuning == {
        "trials": 20,
        "metrics": {"ndcg": {"kind": "ndcg"}},
        "k": 10,
        "validation": {"kind": "user_fraction", "test": 0.2},
    }
    assert modules("tuning", selected.tuning) == ["truerank.metrics.ndcg", "truerank.splits.user_fraction"]
    study["tuning"] |= {"metric": "rbp_95", "validation": "last_one"}
    assert Study(study).tuning["metrics"] == {"rbp_95": {"kind": "rbp", "p": 0.95}}
    assert Study(study).tuning["validation"] == {"kind": "leave_last_out"}


def test_only_models_from_files_have_readers_in_their_code():
    run, ease = {"kind": "run", "path": "run.csv"}, {"kind": "ease"}
    assert modules("model", run) == ["truerank.models.run", "truerank.stages.read_run"]
    assert modules("model", ease) == ["truerank.models.ease"]


def test_a_setting_may_be_searched_for_beside_the_one_that_it_goes_with(study):
    study["models"]["item_knn"]["tune"] = {"similarity": ["cosine", "probability"], "alpha": [0.1, 0.9]}
    check_config(study)


def test_every_registered_name_can_be_selected_without_a_definition():
    config, _ = merged({})
    for section, registry in SECTIONS.items():
        for entry in registry:
            if not entry.schema["required"]:
                assert config[section][entry.name][registry.key] in registry.names
    config["select"]["ranking"]["models"] = ["mf", "item_knn", "pure_svd"]
    check_config(config)


def test_a_definition_of_the_users_replaces_a_default_whole_and_settings_are_merged():
    own = {"models": {"ease": {"kind": "ease", "l2": 7}, "short": "pure_svd"}, "robustness": {"samples": 3}}
    before = copy.deepcopy(own)
    config, sources = merged(own)
    check_config(config, sources)
    assert config["models"]["ease"] == {"kind": "ease", "l2": 7}, "the default's calibration must not stay"
    assert config["models"]["short"] == {"kind": "pure_svd"}
    assert config["models"]["ials"] == read_defaults()["models"]["ials"]
    assert config["robustness"] == read_defaults()["robustness"] | {"samples": 3}
    assert replaced(own) == [("models", "ease")]
    assert own == before


def test_the_default_study_is_read_only_where_nothing_is_selected():
    chosen = {"datasets": ["ml-1m"], "ranking": {"split": "holdout", "models": ["ease"]}}
    config, sources = merged({"select": chosen})
    assert config["select"] == chosen
    assert sources == [DEFAULTS]
    assert merged({"seed": 3})[1] == [DEFAULTS, DEFAULT_STUDY]


def test_checking_changes_nothing(study):
    check_config(study)
    assert study == default_study()


# The file and the line


FILE = """\
seed: 1
models:
  mine:
    kind: ials
    factors: 0
select:
  datasets:
    - ml-100k
    - ml-10k
  ranking: {split: holdout, models: [ease],
            metrics: [ndcg], cutoffs: [5]}
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("seed",), 1),
        (("models", "mine", "factors"), 5),
        (("models", "mine", "absent"), None),
        (("select", "datasets", 1), 9),
        (("select", "datasets", 7), None),
        (("select", "ranking", "metrics", 0), 11),
        (("seed", "deeper"), None),
    ],
)
def test_the_line_of_a_key(path, line):
    assert line_of(yaml.compose(FILE), path) == line


def test_the_sentence_begins_with_the_file_and_line(tmp_path, study):
    mine = tmp_path / "mine.yaml"
    mine.write_text(FILE)
    study["models"]["mine"] = {"kind": "ials", "factors": 0}
    assert complaint(study, [mine]).startswith(f"{mine}, line 5: models.mine.factors is 0")


def test_a_key_that_is_missing_is_told_at_the_nearest_line_above(tmp_path, study):
    mine = tmp_path / "mine.yaml"
    mine.write_text("models:\n  mine: {}\n")
    study["models"]["mine"] = {}
    assert complaint(study, [mine]) == f"{mine}, line 2: key 'kind' is missing from models.mine; add it"


def test_the_last_file_that_sets_a_key_is_blamed(tmp_path):
    one, two, none = (tmp_path / name for name in ("one.yaml", "two.yaml", "none.yaml"))
    one.write_text("\nseed: -1\nties: x\n")
    two.write_text("\n\nseed: -2\n")
    none.write_text("")
    assert locate(("seed",), [one, two, none]) == f"{two}, line 3"
    assert locate(("ties",), [one, two, none]) == f"{one}, line 3"
    assert locate(("absent",), [one, two]) == str(two)
    assert locate(("absent",), []) == "config"


def test_words_for_every_limit():
    assert expected({"type": "number", "minimum": 1, "maximum": 5}) == "a number of at least 1 and of at most 5"
    assert expected({"const": "all"}) == "all"
    assert expected({"anyOf": [{"type": "string"}, {"type": "null"}]}) == "text or null"


# What a study selects


def test_parts_on_one_split_are_joined_in_the_order_of_the_config(study):
    study["select"]["sampling"] |= {"split": "holdout", "models": ["ease", "mine"], "metrics": ["auc", "rr"]}
    study["select"]["ranking"] |= {
        "models": ["random", "ease"],
        "metrics": ["ndcg_binary", "auc"],
        "cutoffs": [10, "all"],
    }
    study["models"]["mine"] = {"kind": "random"}
    selected = Study(study)
    assert selected.splits == ["holdout"]
    assert selected.model_names("holdout", "ml-100k") == ["random", "ease", "mine"]
    assert selected.metrics("holdout") == {
        "ndcg_binary": {"kind": "ndcg", "gain": "binary"},
        "auc": {"kind": "auc"},
        "rr": {"kind": "rr"},
    }
    assert selected.cutoffs("holdout") == [10, "all", 1, 5, 20, 50]


@pytest.fixture
def with_context(study):
    """Return a study of two datasets, the second without attributes of users, and three models that want them."""
    study["datasets"]["bare"] = {"source": "synthetic", "users": 9, "items": 9, "interactions": 30}
    study["select"]["datasets"] = ["ml-100k", "bare"]
    study["models"]["plain"] = {"kind": "ncf", "context": False}
    for part in ("ranking", "sampling"):
        study["select"][part]["models"] = ["lc_nn", "random", "ncf", "plain"]
    return study


def test_models_that_need_attributes_of_users_are_left_out_where_there_are_none(with_context):
    check_config(with_context)
    selected = Study(with_context)
    for models in (lambda name: selected.models("holdout", name), selected.sampled_models):
        assert list(models("ml-100k")) == ["lc_nn", "random", "ncf", "plain"]
        assert list(models("bare")) == ["random", "plain"]


def test_a_dataset_that_can_have_none_of_the_models_is_a_mistake(with_context):
    with_context["select"]["sampling"]["models"] = ["lc_nn", "ncf"]
    with pytest.raises(UserError, match=r"select\.sampling\.models: none can be had on 'bare' \(it learns from attr"):
        check_config(with_context)


def test_parts_on_two_splits_stay_apart(study):
    selected = Study(study)
    assert selected.splits == ["holdout", "last_one"]
    assert "f1" in selected.metrics("holdout")
    assert "f1" not in selected.metrics("last_one")


def test_a_part_that_is_not_selected_is_not_there(study):
    del study["select"]["ranking"]
    check_config(study)
    assert Study(study).splits == ["last_one"]


def test_lists_reach_the_deepest_cutoff_of_a_metric_of_lists(study):
    assert Study(study).depth("holdout") == 100
    study["select"]["ranking"]["cutoffs"] = [10, 250, "all"]
    assert Study(study).depth("holdout") == 250
    study["select"]["ranking"]["metrics"] = ["precision"]
    assert Study(study).depth("holdout") == 100, "ranks are exact without lists"
