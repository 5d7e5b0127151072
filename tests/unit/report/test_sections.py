"""Every section says what the artefacts say, also when there is little or nothing to say."""

import re

import pytest
from bs4 import BeautifulSoup
from truerank import report
from truerank.artefacts.files import read_json, read_table, write_json, write_table
from truerank.report.block import in_cell, named
from truerank.report.verdict import how_sure, leaders_table, leading_sentences, overlap

from tests.hostile import HOSTILE, give_hostile_names

SECTIONS = [
    report.first_screen,
    report.for_papers,
    report.trust,
    report.verdict,
    report.discriminative_power,
    report.robustness,
    report.correlation,
    report.migration,
    report.relevance_levels,
    report.training_curves,
    report.dataset_facts,
    report.distributions,
    report.split_facts,
    report.leaderboard,
    report.rank_distributions,
    report.cutoff_curves,
    report.sampled_metrics,
    report.expected_curves,
    report.order_reversals,
    report.crossing_curves,
    report.estimator_errors,
    report.mapping_curves,
    report.user_sampling,
    report.stage_cost,
    report.model_cost,
    report.protocol,
    report.models,
    report.metrics,
    report.provenance,
]
OTHER_HEADINGS = ("model", "mapping", "part", "k", "fact")
INDEX_SECTIONS = [
    report.overview,
    report.datasets,
    report.across,
    report.metrics_on_trial,
    report.power_across,
    report.migration_across,
    report.index_provenance,
]


def text_of(block):
    return BeautifulSoup(block.html, "html.parser").get_text(" ")


def test_verdict_has_the_numbers_of_the_summary(study):
    text = text_of(report.verdict(study))
    for part in study.parts:
        first, second = part.standings(*part.headlines[0]).to_dict("records")[:2]
        for row in (first, second):
            numbers = (f"{row[key]:.4f}" for key in ("value", "ci_low", "ci_high"))
            assert "{} (95\u00a0%\u00a0interval {} to {})".format(*numbers) in text
    assert "Metrics disagree about the leader" in text


@pytest.mark.slow
def test_one_model_and_one_metric(study, config):
    del config["select"]["sampling"]
    config["select"]["ranking"] |= {"models": ["random"], "metrics": ["auc"]}
    assert "is the only model" in text_of(report.verdict(study))
    assert "No metric has more than one cut-off" in text_of(report.cutoff_curves(study))
    assert "The study has no sampling part." in text_of(report.split_facts(study))
    for section in SECTIONS:
        assert section(study).html


def plain(sentences):
    return [BeautifulSoup(sentence, "html.parser").get_text() for sentence in sentences]


def test_all_models_of_one_value_share_the_lead(ranking):
    ranking.summary["value"] = 0.5
    lead, others = plain(leading_sentences(ranking))
    assert lead.startswith("item_cf, popularity and random share the lead of 3 models with ndcg@10 of 0.5000")
    assert others == "item_cf, popularity and random share the first place on all 4 metrics of its ranking."


def with_values(part, **values):
    """Give every model of a part the same value on all metrics, but for some metrics those of ``values``."""
    part.summary["value"] = part.summary["model"].map({"item_cf": 0.5, "popularity": 0.4, "random": 0.3})
    for metric, of_metric in values.items():
        rows = part.summary["metric"] == metric
        part.summary.loc[rows, "value"] = part.summary.loc[rows, "model"].map(of_metric)


def test_one_of_several_equals_is_not_the_winner(study, ranking):
    with_values(ranking, recall={"item_cf": 0.5, "popularity": 0.5, "random": 0.3})
    assert plain(leading_sentences(ranking))[1] == (
        "item_cf is first on all 4 metrics of its ranking, level with others on recall@10."
    )
    with_values(ranking, recall={"item_cf": 0.1, "popularity": 0.5, "random": 0.5})
    assert plain(leading_sentences(ranking))[1] == (
        "Metrics disagree about the leader: item_cf on ndcg@10, precision@10, auc@all; "
        "popularity and random on recall@10."
    )
    frame = leaders_table(study).frame.query("part == 'ranking'").set_index("metric")
    assert tuple(frame.loc["recall@10", ["leader", "value", "runner-up"]]) == ("popularity, random", 0.5, "item_cf")
    with_values(ranking, recall=dict.fromkeys(ranking.models, float("nan")))
    assert plain(leading_sentences(ranking))[-1] == "No model has a value on recall@10."
    with_values(ranking, ndcg=dict.fromkeys(ranking.models, float("nan")))
    assert plain(leading_sentences(ranking))[0].startswith("No model has a value of ndcg@10")
    assert leaders_table(study).html


def test_many_equals_are_counted():
    names = [f"m{number}" for number in range(30)]
    assert BeautifulSoup(named(names), "html.parser").get_text() == "m0, m1, m2, m3, m4 and 25 more"
    assert in_cell(names) == "m0, m1, m2, m3, m4, 25 more"
    assert in_cell(names[:6]) == "m0, m1, m2, m3, m4, m5"


@pytest.mark.parametrize(
    ("second", "expected"),
    [((0.1, 0.3), "yes"), ((0.1, 0.2), "yes"), ((0, 0.1), "no"), ((float("nan"),) * 2, "unknown")],
)
def test_overlap(second, expected):
    first, second = ({"ci_low": low, "ci_high": high} for low, high in ((0.2, 0.4), second))
    assert overlap(first, second) == overlap(second, first) == expected


def test_the_lead_is_judged_by_the_paired_test(study):
    part = study.parts[0]
    (metric, k), rows = part.headlines[0], part.standings(*part.headlines[0])
    tests = read_table(study.results / "meta/toy/holdout/significance.parquet")
    pair = {rows["model"][0], rows["model"][1]}
    (row,) = [t for t in tests.itertuples() if (t.metric, t.k) == (metric, k) and {t.model_a, t.model_b} == pair]
    assert how_sure(row.p_holm) in text_of(report.verdict(study))
    assert "the lead is significant" in how_sure(0.049)
    assert "treat the pair as tied" in how_sure(0.05)
    assert how_sure(None) == "The pair was not tested."


@pytest.mark.slow
def test_implicit_data(results, config):
    summary = results / "datasets/toy/summary.json"
    write_json(summary, read_json(summary) | {"implicit": True, "rating_histogram": {}})
    for path in [*results.rglob("test.parquet"), *results.glob("ranks/*/*/*.parquet")]:
        write_table(path, read_table(path).assign(rating=float("nan")))
    study = report.open_study(results, "toy", config, {})
    assert "carry no ratings" in text_of(report.distributions(study))
    assert "is every test item" in text_of(report.protocol(study))
    assert len(study.parts[0].ranks("random")) == 120
    for section in SECTIONS:
        assert section(study).html


def test_no_benchmarks(results, config):
    for path in results.rglob("*.tsv"):
        path.unlink()
    study = report.open_study(results, "toy", config, {})
    assert "no benchmark files" in text_of(report.stage_cost(study))
    assert "no benchmark files" in text_of(report.model_cost(study))


def test_cost_is_of_this_dataset_and_leaves_rendering_out(results, config):
    folder = results / "benchmarks"
    for job in ("render_report/toy", "train_model/toy2/holdout/random"):
        (folder / job).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{job}.tsv").write_text("s\tmax_rss\n1000\t-\n")
    frame = report.stage_cost(report.open_study(results, "toy", config, {})).frame.set_index("stage")
    assert list(frame.index) == [
        "fetch_dataset",
        "split_interactions",
        "train_model",
        "rank_items",
        "evaluate_metrics",
    ]
    assert frame.at["train_model", "jobs"] == 6
    assert frame["seconds"].sum() < 1000


def test_the_peak_that_a_job_wrote_into_its_log_counts(results, config):
    log = results / "logs/fetch_dataset/toy.log"
    log.parent.mkdir(parents=True)
    log.write_text("2026-01-01 00:00:00,000 peak memory 98765 MB\n")
    frame = report.stage_cost(report.open_study(results, "toy", config, {})).frame.set_index("stage")
    assert frame.at["fetch_dataset", "memory"] == 98765


def test_users_without_a_relevant_test_item(study):
    test = read_table(study.results / "splits/toy/last_one/test.parquet")
    facts = report.split_facts(study).blocks[0].frame.set_index("fact")
    assert facts.at["users without a relevant test item", "last_one"] == str((test["rating"] < 4).sum())


@pytest.mark.slow
def test_hostile_names_are_text(results, config):
    """A dataset, a model and a text of the summary that try to be HTML."""
    give_hostile_names(results, config)
    for path in [*results.glob("meta/*/*/*.parquet"), *results.glob("curves/*/*/*.parquet")]:
        write_table(path, read_table(path).replace("random", HOSTILE))
    summary = results / "datasets" / HOSTILE / "summary.json"
    write_json(summary, read_json(summary) | {"citation": HOSTILE, HOSTILE: 1})
    for part in ("ranking", "sampling"):
        config["select"][part]["models"][0] = HOSTILE
    provenance = {"commit": HOSTILE, "versions": {HOSTILE: HOSTILE}}
    study = report.open_study(results, HOSTILE, config, provenance)
    index = report.open_index(results, config, provenance)
    blocks = [section(study) for section in SECTIONS]
    blocks += [show(index) for show in INDEX_SECTIONS]
    html = "".join(block.html for block in blocks)
    assert not re.search("<script", html)
    assert html.count("&lt;script&gt;alert(1)&lt;") > 20


@pytest.mark.parametrize("name", ["metric", *(pytest.param(n, marks=pytest.mark.slow) for n in OTHER_HEADINGS)])
def test_a_name_may_be_a_heading_of_a_table(results, config, name):
    """A dataset and a model that are called like the first column of a table that has them as columns."""
    for path in sorted(results.rglob("toy*")):
        path.rename(path.with_name(path.name.replace("toy", name)))
    for path in results.rglob("random*"):
        path.rename(path.with_name(path.name.replace("random", name)))
    columns = ["model", "model_a", "model_b"]
    for path in [*results.glob("meta/*/*/*.parquet"), *results.glob("[cm]*/*/*/*.parquet")]:
        table = read_table(path)
        renamed = {column: table[column].replace("random", name) for column in columns if column in table}
        write_table(path, table.assign(**renamed))
    config["datasets"][name] = config["datasets"]["toy"]
    config["models"][name] = {"kind": "random"}
    config["select"]["datasets"] = [name, name]
    for part in ("ranking", "sampling"):
        config["select"][part]["models"][0] = name
    study, index = report.open_study(results, name, config, {}), report.open_index(results, config, {})
    wide = [report.dataset_facts, report.sampled_metrics, report.mapping_curves, report.estimator_errors]
    assert all(section(study) for section in wide)
    assert all(show(index) for show in (report.across, report.power_across, report.migration_across))


def test_index_across_datasets(results, config):
    for path in sorted(results.rglob("toy*")):
        if path.is_dir():
            for source in path.rglob("*.*"):
                target = path.with_name("twin") / source.relative_to(path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(source.read_bytes())
    config["select"]["datasets"] = ["toy", "twin"]
    index = report.open_index(results, config, {})
    assert "item_cf leads on toy , twin" in text_of(report.overview(index)).replace("  ", " ")
    assert "on every dataset: item_cf leads on ndcg@10" in text_of(report.across(index)).replace("  ", " ")
    frame = report.datasets(index).frame
    assert list(frame["page"]) == ["toy.html", "twin.html"]
    assert list(frame["ranking leader by ndcg@10"]) == ["item_cf", "item_cf"]
    index = report.open_index(results, config, {})
    for study in index.studies:
        with_values(study.parts[0], ndcg=dict.fromkeys(("item_cf", "random"), 0.5))
    assert "item_cf and random share the lead on toy , twin" in text_of(report.overview(index)).replace("  ", " ")
    assert "item_cf and random share the lead on ndcg@10" in text_of(report.across(index)).replace("  ", " ")
    assert list(report.datasets(index).frame["ranking leader by ndcg@10"]) == ["item_cf, random"] * 2


@pytest.mark.parametrize(("lowest", "said"), [(-10, True), (0, False), (1, False)])
def test_the_protocol_tells_that_gains_are_shifted_where_ratings_go_below_0(results, config, lowest, said):
    summary = results / "datasets/toy/summary.json"
    write_json(summary, read_json(summary) | {"rating_scale": [lowest, 10]})
    text = text_of(report.protocol(report.open_study(results, "toy", config, {})))
    assert (
        "Ratings go down to -10, so 10 is added to each to get the gain of ndcg: no gain is below 0." in text
    ) is said
    assert ("gain" in text) is said


def test_binary_gains_are_never_shifted(results, config):
    summary = results / "datasets/toy/summary.json"
    write_json(summary, read_json(summary) | {"rating_scale": [-10, 10]})
    config["metrics"] = {"ndcg": {"kind": "ndcg", "gain": "binary"}}
    assert "gain" not in text_of(report.protocol(report.open_study(results, "toy", config, {})))
    config["metrics"] = {"ndcg": {"kind": "ndcg", "relevance": {"threshold": 4, "binary": True}}}
    assert "gain" not in text_of(report.protocol(report.open_study(results, "toy", config, {})))


def test_the_protocol_tells_what_the_intervals_are(study):
    assert "interval of a mean is Student’s t interval over users, widened for skew" in text_of(report.protocol(study))
