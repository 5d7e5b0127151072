"""A small study from ratings to report: what comes out, and that it comes out the same."""

import re

import numpy as np
import pyarrow.parquet as pq

from tests.workflow.conftest import METRICS, kill_tree, wait_for


def test_artefacts_have_the_columns_that_others_read(finished):
    expected = {
        "datasets/small/interactions.parquet": ["user", "item", "rating", "timestamp"],
        "splits/small/holdout/train.parquet": ["user", "item", "rating", "timestamp"],
        "splits/small/holdout/test.parquet": ["user", "item", "rating", "timestamp"],
        "lists/small/holdout/ials.parquet": ["user", "position", "item", "score"],
        "metrics/small/holdout/summary.parquet": [
            *("model", "metric", "k", "value", "ci_low", "ci_high", "users", "undefined"),
        ],
        "meta/small/holdout/significance.parquet": [
            *("metric", "k", "model_a", "model_b", "difference", "ci_low", "ci_high", "effect_size"),
            *("p_value", "p_holm", "p_fdr"),
        ],
        "meta/small/holdout/discriminative_power.parquet": [
            *("metric", "k", "dp", "dp_ordered", "same_pairs", "dp_low", "dp_high", "separated"),
            *("criterion", "criterion_se", "in_best_set"),
        ],
        "meta/small/holdout/best_set.parquet": ["metric", "k", "judges", "distance", "critical", "stability"],
        "meta/small/holdout/robustness_summary.parquet": ["bias", "metric", "k", "tau", "tau_se", "in_best_set"],
        "meta/small/holdout/robustness.parquet": ["bias", "metric", "k", "fraction", "sample", "tau"],
        "meta/small/holdout/correlation.parquet": ["metric_a", "k_a", "metric_b", "k_b", "tau"],
        "meta/small/holdout/groups.parquet": [
            *("by", "group", "users", "model", "metric", "k", "value", "ci_low", "ci_high"),
        ],
        "meta/small/holdout/migration.parquet": ["model", "level", "up_sold", "down_sold", "accurate"],
    }
    for path, columns in expected.items():
        assert pq.read_schema(finished.results / path).names == columns, path
    ranks = pq.read_schema(finished.results / "ranks/small/holdout/ials.parquet").names
    assert ranks[:7] == ["user", "item", "rating", "score", "above", "tied", "candidates"]
    per_user = pq.read_schema(finished.results / "metrics/small/holdout/per_user.parquet").names
    assert {"model", "user", "precision@1", "precision@all", "ndcg@5", "auc@all"} <= set(per_user)
    assert "auc@5" not in per_user
    assert "| pass |" in (finished.results / "report/checklist/small.md").read_text()
    for page in ("small.html", "index.html"):
        assert "</html>" in (finished.results / "report" / page).read_text()


def test_popularity_ranks_equal_a_count_by_hand(finished):
    """The rank of a test item under popularity can be counted from the split with nothing but a loop."""
    train, test, ranks = (
        pq.read_table(finished.results / path).to_pylist()
        for path in (
            "splits/small/holdout/train.parquet",
            "splits/small/holdout/test.parquet",
            "ranks/small/holdout/popularity.parquet",
        )
    )
    n_items = pq.read_metadata(finished.results / "datasets/small/items.parquet").num_rows
    assert len(ranks) == len(test) > 50
    for row in ranks:
        history = {pair["item"] for pair in train if pair["user"] == row["user"]}
        degree = {item: sum(pair["item"] == item for pair in train) for item in range(n_items)}
        others = [degree[item] for item in degree if item not in history and item != row["item"]]
        own = degree[row["item"]]
        assert row["candidates"] == n_items - len(history)
        assert row["above"] == sum(other > own for other in others)
        assert row["tied"] == sum(other == own for other in others)


def test_personalised_models_find_the_structure(finished):
    """Users prefer items of the other parity, so a model that learns must beat popularity by far."""
    summary = pq.read_table(finished.results / "metrics/small/holdout/summary.parquet").to_pandas()
    auc = summary[summary.metric == "auc"].set_index("model").value
    assert auc["item_cf_z"] > auc["popularity"] + 0.1
    assert np.isfinite(summary.value).all()


def test_snakemakes_own_report_has_the_pages_with_captions_and_categories(finished):
    finished.done("--report", "workflow.html")
    text = (finished.folder / "workflow.html").read_text(encoding="utf-8")
    for told in ("results/report/small.html", "results/report/index.html", "results/verdict/small.json"):
        assert told in text
    for told in ("Reports", "Verdicts", "which metric to report", "All datasets side by side", "Datasets: small."):
        assert told in text, told


def test_second_run_does_nothing(finished):
    assert finished.done().stderr.splitlines()[-1] == "Nothing to do: all results are there and up to date."


def test_killed_run_resumes_with_the_same_command(finished_once, study):
    """Kill -9 everything in the middle of training; the same command finishes with the same bytes."""
    process = study.start(METRICS)
    wait_for(lambda: list(study.results.glob("logs/train_model/small/holdout/*.log")) or process.poll() is not None)
    assert process.poll() is None, (study.folder / "run.log").read_text()
    kill_tree(process)
    assert not (study.folder / METRICS).exists()
    study.done(METRICS)
    made = study.contents()
    assert "metrics/small/holdout/per_user.parquet" in made
    assert made.items() <= finished_once.contents().items()


def test_second_run_at_the_same_time_is_refused(study):
    process = study.start()
    try:
        wait_for(lambda: list(study.folder.glob(".snakemake/locks/*")) or process.poll() is not None)
        assert process.poll() is None, (study.folder / "run.log").read_text()
        second = study.run()
        assert second.returncode != 0
        assert "another snakemake is at work in this folder" in second.stderr
        assert "Traceback" not in second.stderr
    finally:
        kill_tree(process)


def test_model_added_to_the_config_is_the_only_one_trained(finished):
    finished.config["select"]["ranking"]["models"].append("ease")
    assert finished.would_run() == {
        "train_model small/holdout/ease",
        "rank_shard small/holdout/ease/0",
        "rank_items small/holdout/ease",
        "evaluate_shard small/holdout/0",
        "evaluate_metrics small/holdout",
        "flip_shard small/holdout/0",
        "test_significance small/holdout",
        "sweep_shard small/holdout/0",
        "measure_robustness small/holdout",
        "correlate_metrics small/holdout",
        "measure_migration small/holdout",
        "measure_groups small/holdout",
        "verdict small",
        "write_checklist small",
        "draw_figures small",
        "render_report small",
        "render_index",
    }


def test_paper_that_the_study_names_is_a_page_of_its_own(finished):
    finished.config["paper"] = "valcarce2018"
    assert finished.would_run() == {
        "render_paper valcarce2018",
        "draw_figures small",
        "render_report small",
        "render_index",
    }
    finished.done("results/report/paper/valcarce2018.html")
    page = (finished.results / "report/paper/valcarce2018.html").read_text(encoding="utf-8")
    assert "Table 3, discriminative power" in page
    assert re.search(r"[1-9]\d* figures have no counterpart in this study", page)
    assert (finished.results / "report/paper/valcarce2018/findings.csv").is_file()


def test_progress_is_one_line_per_job(study):
    lines = study.done("results/splits/small/holdout/train.parquet").stderr.splitlines()
    assert any(line.startswith("[1/2] fetch_dataset small ") for line in lines)
    assert any(line.startswith("[2/2] split_interactions small/holdout ") for line in lines)
    assert len(lines) < 8
